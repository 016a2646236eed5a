// An SQLite connection and nothing else: it knows no table. Used by one thread at a time.

import CSQLite
import Glibc

/// An open database.
final class Database {
    private var connection: OpaquePointer?

    /// - Parameter flags: SQLITE_OPEN_ flags. The connection does no locking between threads of its own.
    init(_ path: String, flags: Int32) throws(DatabaseError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK else {
            let problem = DatabaseError(code: code, systemCode: opened.map { sqlite3_system_errno($0) } ?? 0)
            sqlite3_close_v2(opened)
            throw problem
        }
        connection = opened
        // State of an unknown origin is read: nothing in its schema may do more than hold rows.
        mirror_sqlite3_defend(opened)
    }

    deinit { close() }

    /// Ends the connection; statements must be gone by then.
    func close() {
        sqlite3_close_v2(connection)
        connection = nil
    }

    /// Runs statements that have neither parameters nor rows of interest.
    func run(_ sql: String) throws(DatabaseError) {
        try check(sqlite3_exec(connection, sql, nil, nil, nil))
    }

    /// Runs `body` between BEGIN and COMMIT. Where one of them fails, all that was done is taken back.
    /// - Parameter isDurable: returns only when what was done would survive a loss of power.
    func transaction(isDurable: Bool = false, _ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        // One that could not be taken back when it failed would keep all others from beginning.
        try rollBack()
        if isDurable { try run("PRAGMA synchronous=FULL") }
        defer { if isDurable { try? run("PRAGMA synchronous=NORMAL") } }
        try run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            try body()
            try run("COMMIT")
        } catch {
            try? rollBack()
            throw error
        }
    }

    /// Takes back a transaction that has not ended. There is none after an error that made SQLite take it back itself,
    /// such as a full disk, and there still is one after a ROLLBACK that failed.
    private func rollBack() throws(DatabaseError) {
        guard sqlite3_get_autocommit(connection) == 0 else { return }
        try run("ROLLBACK")
    }

    /// A statement that is used again and again.
    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        return Statement(statement, of: self)
    }

    /// The first value of the first row.
    func integer(_ sql: String) throws(DatabaseError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    func text(_ sql: String) throws(DatabaseError) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Whether nothing can be written, as far as was seen when the file was read.
    var isReadOnly: Bool { sqlite3_db_readonly(connection, "main") == 1 }

    func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else {
            throw DatabaseError(code: code, systemCode: connection.map { sqlite3_system_errno($0) } ?? 0)
        }
    }
}
