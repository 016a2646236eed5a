// Each open file stays the real VFS's own object; only its table of methods is a copy in which those that change the
// disk are replaced. What the copy needs lies behind the real object, in the same memory.

#include "CSQLiteWatch.h"

#include <sqlite3.h>
#include <unistd.h>

struct tail {
    const sqlite3_io_methods *real;
    sqlite3_io_methods watched;
    // Valid until xClose, as SQLite promises.
    const char *path;
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs watching_vfs;
static mirror_watcher watcher;
static int (*real_open_folder)(const char *, int *);
// SQLite syncs the folder of a new log or journal within xSync and xDelete; all that can be seen of it is that it
// opens the folder.
static _Thread_local int opened_folder;

static struct tail *tail_of(sqlite3_file *file) { return (struct tail *)((char *)file + real_vfs->szOsFile); }

static int open_folder(const char *path, int *descriptor) {
    opened_folder = 1;
    return real_open_folder(path, descriptor);
}

static int watched_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    struct tail *tail = tail_of(file);
    int code = tail->real->xWrite(file, bytes, count, offset);
    if (code == SQLITE_OK && tail->path) watcher(MIRROR_WATCH_WRITTEN, tail->path, bytes, offset, count);
    return code;
}

static int watched_truncate(sqlite3_file *file, sqlite3_int64 size) {
    struct tail *tail = tail_of(file);
    int code = tail->real->xTruncate(file, size);
    if (code == SQLITE_OK && tail->path) watcher(MIRROR_WATCH_TRUNCATED, tail->path, 0, size, 0);
    return code;
}

static int watched_sync(sqlite3_file *file, int flags) {
    struct tail *tail = tail_of(file);
    int64_t began = tail->path ? watcher(MIRROR_WATCH_SYNC_BEGINS, tail->path, 0, 0, 0) : 0;
    opened_folder = 0;
    int code = tail->real->xSync(file, flags);
    if (code == SQLITE_OK && tail->path) {
        watcher(MIRROR_WATCH_SYNCED, tail->path, 0, began, 0);
        if (opened_folder) watcher(MIRROR_WATCH_FOLDER_SYNCED, tail->path, 0, began, 0);
    }
    return code;
}

static int watched_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    int refusal = path ? (int)watcher(MIRROR_WATCH_OPENING, path, 0, 0, 0) : SQLITE_OK;
    if (refusal != SQLITE_OK) {
        file->pMethods = 0;
        return refusal;
    }
    int is_new = path && access(path, F_OK) != 0;
    int code = real_vfs->xOpen(real_vfs, path, file, flags, given);
    if (code != SQLITE_OK || !file->pMethods) return code;
    struct tail *tail = tail_of(file);
    tail->real = file->pMethods;
    tail->watched = *file->pMethods;
    tail->watched.xWrite = watched_write;
    tail->watched.xTruncate = watched_truncate;
    tail->watched.xSync = watched_sync;
    tail->path = path;
    file->pMethods = &tail->watched;
    if (is_new) watcher(MIRROR_WATCH_MADE, path, 0, 0, 0);
    return code;
}

static int watched_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
    (void)vfs;
    opened_folder = 0;
    int code = real_vfs->xDelete(real_vfs, path, sync_folder);
    if (code != SQLITE_OK) return code;
    watcher(MIRROR_WATCH_REMOVED, path, 0, 0, 0);
    if (opened_folder) {
        int64_t now = watcher(MIRROR_WATCH_SYNC_BEGINS, path, 0, 0, 0);
        watcher(MIRROR_WATCH_FOLDER_SYNCED, path, 0, now, 0);
    }
    return code;
}

int mirror_watch_sqlite(mirror_watcher called) {
    int code = sqlite3_initialize();
    if (code != SQLITE_OK) return code;
    watcher = called;
    real_vfs = sqlite3_vfs_find(0);
    if (!real_vfs) return SQLITE_NOTFOUND;
    watching_vfs = *real_vfs;
    watching_vfs.zName = "mirror-watch";
    watching_vfs.pNext = 0;
    watching_vfs.szOsFile += (int)sizeof(struct tail);
    watching_vfs.xOpen = watched_open;
    watching_vfs.xDelete = watched_delete;
    real_open_folder = (int (*)(const char *, int *))real_vfs->xGetSystemCall(real_vfs, "openDirectory");
    if (!real_open_folder) return SQLITE_NOTFOUND;
    code = real_vfs->xSetSystemCall(real_vfs, "openDirectory", (sqlite3_syscall_ptr)open_folder);
    return code == SQLITE_OK ? sqlite3_vfs_register(&watching_vfs, 1) : code;
}
