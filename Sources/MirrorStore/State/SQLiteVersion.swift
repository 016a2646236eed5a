// Which SQLite this is, for `--version`.

import CSQLite

/// The version of SQLite that is loaded, such as `3.40.1`.
package var sqliteVersion: String { String(cString: sqlite3_libversion()) }
