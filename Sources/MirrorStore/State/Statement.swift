// A prepared SQLite statement: parameters in, rows out.

import CSQLite

/// A prepared statement. Parameters count from 1, columns from 0.
final class Statement {
    private let statement: OpaquePointer?
    private let database: Database

    init(_ statement: OpaquePointer?, of database: Database) {
        self.statement = statement
        self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    func bind(_ text: String?, at index: Int32) throws(DatabaseError) {
        guard var text else { return try bindNull(at: index) }
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                mirror_sqlite3_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
        try database.check(code)
    }

    func bind(_ number: Int64?, at index: Int32) throws(DatabaseError) {
        guard let number else { return try bindNull(at: index) }
        try database.check(sqlite3_bind_int64(statement, index, number))
    }

    func bind(_ bytes: [UInt8], at index: Int32) throws(DatabaseError) {
        try database.check(
            bytes.withUnsafeBytes {
                $0.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : mirror_sqlite3_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count))
            })
    }

    private func bindNull(at index: Int32) throws(DatabaseError) {
        try database.check(sqlite3_bind_null(statement, index))
    }

    /// - Returns: whether there is a row.
    func step() throws(DatabaseError) -> Bool {
        let code = sqlite3_step(statement)
        try database.check(code)
        return code == SQLITE_ROW
    }

    /// Runs the statement and makes it ready for the next use.
    func run() throws(DatabaseError) {
        defer { reset() }
        _ = try step()
    }

    func reset() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
    }

    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
            let start = sqlite3_column_text(statement, column)
        else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(validating: bytes, as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB,
            let start = sqlite3_column_blob(statement, column)
        else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
