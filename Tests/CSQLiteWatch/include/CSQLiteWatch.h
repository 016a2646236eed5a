// A pass-through VFS for SQLite, for tests: what SQLite does to the disk is told to a watcher. Nothing is changed, and
// nothing fails but an opening that the watcher wants to fail.
#ifndef MIRROR_CSQLITE_WATCH_H
#define MIRROR_CSQLITE_WATCH_H

#include <stdint.h>

enum {
    MIRROR_WATCH_OPENING = 0,
    MIRROR_WATCH_MADE = 1,
    MIRROR_WATCH_WRITTEN = 2,
    MIRROR_WATCH_TRUNCATED = 3,
    MIRROR_WATCH_SYNC_BEGINS = 4,
    MIRROR_WATCH_SYNCED = 5,
    MIRROR_WATCH_FOLDER_SYNCED = 6,
    MIRROR_WATCH_REMOVED = 7,
};

/// Told after it happened, but for an opening, which gives the result unless that is 0, and for the beginning of a sync,
/// whose result comes back as `number` when the sync is over.
/// For a write `number` is the offset and `count` the bytes; for a truncation `number` is the size. The path of a folder
/// that was synced is that of a file in it.
typedef int64_t (*mirror_watcher)(int event, const char *path, const void *bytes, int64_t number, int64_t count);

/// Makes the VFS the default one. To be called once, before any connection is to be watched.
/// @return an SQLite result code.
int mirror_watch_sqlite(mirror_watcher watcher);

#endif
