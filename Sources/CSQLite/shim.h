// SQLite as Swift sees it. SQLITE_TRANSIENT and SQLITE_STATIC are casts, which Swift cannot import.
#ifndef MIRROR_CSQLITE_SHIM_H
#define MIRROR_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Binds text that outlives the next sqlite3_reset, so that SQLite need not copy it.
static inline int mirror_sqlite3_bind_static_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_STATIC);
}

/// Binds text that SQLite copies.
static inline int mirror_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

/// Binds bytes that SQLite copies.
static inline int mirror_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

#endif
