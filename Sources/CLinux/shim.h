// Linux system calls that the C library has no function for, or hides from Swift behind _GNU_SOURCE. `syscall` itself
// is variadic, so that Swift cannot call it.
#ifndef MIRROR_CLINUX_SHIM_H
#define MIRROR_CLINUX_SHIM_H

#include <linux/openat2.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/// openat2(2): `resolve` takes the RESOLVE_ flags.
static inline int mirror_openat2(int folder, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

/// renameat2(2) with RENAME_NOREPLACE.
static inline int mirror_renameat_noreplace(int from_folder, const char *from, int to_folder, const char *to) {
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 1U);
}

/// syncfs(2).
static inline int mirror_syncfs(int file) { return (int)syscall(SYS_syncfs, file); }

/// copy_file_range(2) at the same offset of both files.
static inline ssize_t mirror_copy_file_range(int from, int to, int64_t offset, size_t count) {
    int64_t from_offset = offset, to_offset = offset;
    return (ssize_t)syscall(SYS_copy_file_range, from, &from_offset, to, &to_offset, count, 0U);
}

/// O_PATH of <fcntl.h>; the same on every Linux platform but alpha, hppa and sparc.
static const int32_t MIRROR_O_PATH = 010000000;

#endif
