// SQLite as Swift sees it. SQLITE_TRANSIENT and SQLITE_STATIC are casts, which Swift cannot import.
#ifndef MIRROR_CSQLITE_SHIM_H
#define MIRROR_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Binds text that SQLite copies. A null pointer stands for a text without bytes, never for NULL.
static inline int mirror_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text ? text : "", length, SQLITE_TRANSIENT);
}

/// Binds bytes that SQLite copies.
static inline int mirror_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

/// Lets nothing in a schema that somebody else may have written do more than hold rows. sqlite3_db_config is variadic.
static inline void mirror_sqlite3_defend(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}

#endif
