// What mirror wrote down: files, partial files, runs. The tables are known here and nowhere else. It holds what it is
// given; whether a record is still true of the disk is for others to see. Used by one thread at a time.

import CSQLite
import MirrorCore

/// The state database, open.
final class StateDatabase {
    static let fileName = "state.sqlite"
    /// How many runs are kept.
    static let runLimit = 100
    private static let version: Int64 = 2

    private let database: Database
    private let statements: Statements
    /// False as long as no file was ever recorded: then nothing is looked up.
    private(set) var hasFiles: Bool

    private struct Statements {
        let findFile, findSums, storeFile, dropFile, storePartial, dropPartial, dropPartialFile: Statement
        let storeRun, dropRun, trimRuns, findStart, storeStart: Statement
    }

    enum Access {
        case readWrite
        /// Nobody writes and nothing may be written, not even beside it: the name is a `file:` URI.
        case immutable
    }

    /// Opens the database, or makes it. A file that is not ours throws an error that is `isDamage`.
    init(_ path: String, _ access: Access) throws(DatabaseError) {
        switch access {
        case .readWrite:
            database = try Database(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            try Self.prepareForWriting(database)
        case .immutable:
            database = try Database(path, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
        guard try database.integer("PRAGMA user_version") == Self.version else {
            throw DatabaseError.foreign
        }
        try Self.check(database)
        if access == .readWrite, database.isReadOnly { throw DatabaseError(code: SQLITE_READONLY) }
        do throws(DatabaseError) {
            statements = try Self.prepare(database)
        } catch {
            // These statements fit the tables of this version.
            throw error.code == SQLITE_ERROR ? .foreign : error
        }
        hasFiles = try database.integer("SELECT 1 FROM files LIMIT 1") != nil
    }

    private static func prepareForWriting(_ database: Database) throws(DatabaseError) {
        // Exclusive before WAL: then the index of the log is in memory and not in a file that processes share.
        try database.run(
            """
            PRAGMA locking_mode=EXCLUSIVE;
            PRAGMA journal_mode=WAL;
            PRAGMA synchronous=NORMAL;
            PRAGMA wal_autocheckpoint=4000;
            """)
        let isNew = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
        guard isNew, try database.integer("PRAGMA user_version") == 0 else { return }
        try database.run("BEGIN; \(schema) PRAGMA user_version=\(version); COMMIT")
    }

    /// The whole of a small database is read through once; damage in a large one is found when it is met.
    private static func check(_ database: Database) throws(DatabaseError) {
        let pages = try database.integer("PRAGMA page_count") ?? 0
        guard pages <= 1024 else { return }
        guard try database.text("PRAGMA quick_check(1)") == "ok" else { throw DatabaseError(code: SQLITE_CORRUPT) }
    }

    private static let schema = """
        CREATE TABLE files (path TEXT PRIMARY KEY COLLATE BINARY NOT NULL, url TEXT NOT NULL, size INTEGER NOT NULL,
            modified INTEGER NOT NULL, etag TEXT, last_modified TEXT, date INTEGER, media_type TEXT,
            is_encoded INTEGER NOT NULL, checksum TEXT, sums BLOB NOT NULL);
        CREATE TABLE partials (path TEXT PRIMARY KEY COLLATE BINARY NOT NULL, file TEXT NOT NULL, url TEXT NOT NULL,
            total INTEGER NOT NULL, etag TEXT, last_modified TEXT, date INTEGER, ranges TEXT NOT NULL,
            sums BLOB NOT NULL, row_sum INTEGER NOT NULL);
        CREATE TABLE runs (number INTEGER PRIMARY KEY, id TEXT NOT NULL, started INTEGER NOT NULL,
            finished INTEGER NOT NULL, exit_code INTEGER NOT NULL, files INTEGER NOT NULL, failed INTEGER NOT NULL,
            bytes_fetched INTEGER NOT NULL, bytes_reused INTEGER NOT NULL, requests INTEGER NOT NULL,
            retries INTEGER NOT NULL);
        CREATE TABLE machine (number INTEGER PRIMARY KEY, start TEXT NOT NULL);
        """

    private static func prepare(_ database: Database) throws(DatabaseError) -> Statements {
        Statements(
            findFile: try database.prepare(
                """
                SELECT url, size, modified, etag, last_modified, date, media_type, is_encoded, checksum
                FROM files WHERE path = ?
                """),
            findSums: try database.prepare("SELECT sums FROM files WHERE path = ?"),
            storeFile: try database.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
            dropFile: try database.prepare("DELETE FROM files WHERE path = ?"),
            storePartial: try database.prepare("INSERT OR REPLACE INTO partials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
            dropPartial: try database.prepare("DELETE FROM partials WHERE path = ?"),
            dropPartialFile: try database.prepare("DELETE FROM partials WHERE path = ? AND file = ?"),
            storeRun: try database.prepare("INSERT INTO runs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
            dropRun: try database.prepare("DELETE FROM runs WHERE id = ?"),
            trimRuns: try database.prepare(
                "DELETE FROM runs WHERE number <= (SELECT max(number) FROM runs) - \(runLimit)"),
            findStart: try database.prepare("SELECT start FROM machine WHERE number = 1"),
            storeStart: try database.prepare("INSERT OR REPLACE INTO machine VALUES (1, ?)"))
    }

    // MARK: Reading

    func fileRecord(of path: LocalPath) throws(DatabaseError) -> FileRecord? {
        guard hasFiles else { return nil }
        let row = statements.findFile
        defer { row.reset() }
        try row.bind(path.text, at: 1)
        return try row.step() ? Self.fileRecord(row) : nil
    }

    func fileRecords() throws(DatabaseError) -> [LocalPath: FileRecord] {
        let row = try database.prepare(
            """
            SELECT url, size, modified, etag, last_modified, date, media_type, is_encoded, checksum, path FROM files
            """)
        var found: [LocalPath: FileRecord] = [:]
        while try row.step() {
            guard let path = row.text(9).flatMap({ try? LocalPath($0) }) else { continue }
            found[path] = Self.fileRecord(row)
        }
        return found
    }

    private static func fileRecord(_ row: Statement) -> FileRecord? {
        guard let url = row.text(0), let size = row.integer(1), size >= 0, let modified = row.integer(2),
            let isEncoded = row.integer(7)
        else { return nil }
        return FileRecord(
            url: url, size: size, modified: modified, validators: validators(row, from: 3),
            mediaType: row.text(6), isEncoded: isEncoded != 0,
            checksum: row.text(8).flatMap { try? Checksum(parsing: $0) })
    }

    /// The sums of a recorded file's blocks.
    func blockSums(of path: LocalPath) throws(DatabaseError) -> [UInt64]? {
        guard hasFiles else { return nil }
        let row = statements.findSums
        defer { row.reset() }
        try row.bind(path.text, at: 1)
        return try row.step() ? StateCoding.sums(row.bytes(0)) : nil
    }

    /// Rows that are not as they were written are left out.
    func partials() throws(DatabaseError) -> [LocalPath: StoredPartial] {
        let row = try database.prepare(
            "SELECT path, file, url, total, etag, last_modified, date, ranges, sums, row_sum FROM partials")
        var found: [LocalPath: StoredPartial] = [:]
        while try row.step() {
            guard let path = row.text(0).flatMap({ try? LocalPath($0) }), let file = row.text(1), let url = row.text(2),
                let total = row.integer(3), total >= 0,
                let ranges = row.text(7).flatMap({ StateCoding.ranges($0, total: total) }),
                row.integer(9) == Self.sum(ofPartial: row)
            else { continue }
            let generation = Generation(total: total, validators: Self.validators(row, from: 4))
            let sums = StateCoding.knownSums(row.bytes(8)).filter { ranges.containsBlock($0.block) }
            found[path] = StoredPartial(
                record: PartialRecord(url: url, generation: generation, ranges: ranges), file: file, sums: sums)
        }
        return found
    }

    /// Since which start of the machine all that is recorded was seen to be there.
    func machineStart() throws(DatabaseError) -> String? {
        let row = statements.findStart
        defer { row.reset() }
        return try row.step() ? row.text(0) : nil
    }

    private static func sum(ofPartial row: Statement) -> Int64 {
        var sum = RowSum()
        for column: Int32 in [0, 1, 2, 4, 5, 7] { sum.add(row.text(column)) }
        for column: Int32 in [3, 6] { sum.add(row.integer(column)) }
        sum.add(row.bytes(8))
        return sum.value
    }

    /// The last runs, the latest first.
    func runs() throws(DatabaseError) -> [RunRecord] {
        let row = try database.prepare(
            """
            SELECT id, started, finished, exit_code, files, failed, bytes_fetched, bytes_reused, requests, retries
            FROM runs ORDER BY number DESC
            """)
        var found: [RunRecord] = []
        while try row.step() {
            func number(_ column: Int32) -> Int64 { row.integer(column) ?? 0 }
            found.append(
                RunRecord(
                    id: row.text(0) ?? "", started: HTTPDate(seconds: number(1)),
                    finished: HTTPDate(seconds: number(2)), exitCode: Int32(clamping: number(3)), files: Int(number(4)),
                    failed: Int(number(5)),
                    bytesFetched: number(6), bytesReused: number(7), requests: Int(number(8)),
                    retries: Int(number(9))))
        }
        return found
    }

    private static func validators(_ row: Statement, from column: Int32) -> Validators {
        Validators(
            etag: row.text(column).flatMap(EntityTag.init),
            lastModified: row.text(column + 1).flatMap { HeaderField.isValue($0) ? $0 : nil },
            date: row.integer(column + 2).map(HTTPDate.init(seconds:)))
    }

    // MARK: Writing

    /// Makes all changes, or none.
    /// - Parameter isDurable: returns only when they would survive a loss of power. Otherwise they survive the end of
    ///   the process, and a loss of power may take the last ones back, in order.
    func apply(_ changes: [StateChange], isDurable: Bool = false) throws(DatabaseError) {
        try database.transaction(isDurable: isDurable) { () throws(DatabaseError) in
            for change in changes { try apply(change) }
        }
    }

    private func apply(_ change: StateChange) throws(DatabaseError) {
        switch change {
        case .storeFile(let path, let record, let sums): try store(record, sums, path)
        case .dropFile(let path): try statements.dropFile.run(path.text)
        case .storePartial(let path, let partial): try store(partial, path)
        case .dropPartial(let path): try statements.dropPartial.run(path.text)
        case .dropPartialFile(let path, let name):
            try statements.dropPartialFile.bind(name, at: 2)
            try statements.dropPartialFile.run(path.text)
        case .storeRun(let run): try store(run)
        case .storeMachineStart(let start): try statements.storeStart.run(start)
        }
    }

    private func store(_ record: FileRecord, _ sums: [UInt64], _ path: LocalPath) throws(DatabaseError) {
        let row = statements.storeFile
        try row.bind(record.url, at: 2)
        try row.bind(record.size, at: 3)
        try row.bind(record.modified, at: 4)
        try bind(record.validators, to: row, from: 5)
        try row.bind(record.mediaType, at: 8)
        try row.bind(record.isEncoded ? 1 : 0, at: 9)
        try row.bind(record.checksum?.description, at: 10)
        try row.bind(StateCoding.bytes(sums), at: 11)
        try row.run(path.text)
        hasFiles = true
    }

    private func store(_ partial: StoredPartial, _ path: LocalPath) throws(DatabaseError) {
        let row = statements.storePartial
        try row.bind(partial.file, at: 2)
        try row.bind(partial.record.url, at: 3)
        try row.bind(partial.record.generation.total, at: 4)
        try bind(partial.record.generation.validators, to: row, from: 5)
        let (ranges, sums) = (StateCoding.text(partial.record.ranges), StateCoding.bytes(partial.sums))
        try row.bind(ranges, at: 8)
        try row.bind(sums, at: 9)
        var sum = RowSum()
        let validators = partial.record.generation.validators
        for text in [
            path.text, partial.file, partial.record.url, validators.etag?.text, validators.lastModified, ranges,
        ] {
            sum.add(text)
        }
        for number in [partial.record.generation.total, validators.date?.seconds] { sum.add(number) }
        sum.add(sums)
        try row.bind(sum.value, at: 10)
        try row.run(path.text)
    }

    private func store(_ run: RunRecord) throws(DatabaseError) {
        // What is known later of the same run counts.
        try statements.dropRun.run(run.id)
        let row = statements.storeRun
        let numbers = [
            run.started.seconds, run.finished.seconds, Int64(run.exitCode), Int64(run.files), Int64(run.failed),
            run.bytesFetched, run.bytesReused, Int64(run.requests), Int64(run.retries),
        ]
        for (index, number) in numbers.enumerated() { try row.bind(number, at: Int32(index + 2)) }
        try row.run(run.id)
        try statements.trimRuns.run()
    }

    private func bind(_ validators: Validators, to row: Statement, from index: Int32) throws(DatabaseError) {
        try row.bind(validators.etag?.text, at: index)
        try row.bind(validators.lastModified, at: index + 1)
        try row.bind(validators.date?.seconds, at: index + 2)
    }

    /// Brings the write-ahead log into the database file.
    func checkpoint() throws(DatabaseError) { try database.run("PRAGMA wal_checkpoint(TRUNCATE)") }
}

extension Statement {
    /// Runs with the first parameter, which is the row's name in most statements here.
    fileprivate func run(_ name: String) throws(DatabaseError) {
        try bind(name, at: 1)
        try run()
    }
}
