import CSQLite
import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct StateTests {
    @Test func rangesAsText() {
        let set = RangeSet([(0, 100), (200, 300)].compactMap { ByteRange(first: $0.0, end: $0.1) })
        #expect(StateCoding.text(set) == "0-99,200-299")
        #expect(StateCoding.ranges("0-99,200-299", total: 300) == set)
        #expect(StateCoding.ranges("", total: 0)?.isEmpty == true)
        #expect(StateCoding.text(RangeSet()).isEmpty)
    }

    @Test(arguments: [
        "0-99,200-300", "0-300", "200-299,0-99", "0-99,99-150", "0-99,100-150", "5-4", "-1-5", "0", "0-", "-", ",",
        "0-9,", "a-b", "0-9 ,20-30", "0-99999999999999999999", "9223372036854775806-9223372036854775807", "+0-9",
        "0-9-10", "00-9", "0-09", "01-9",
    ])
    func rangesThatAreNone(_ text: String) {
        #expect(StateCoding.ranges(text, total: 300) == nil)
    }

    @Test func sumsAsBytes() {
        let sums: [UInt64] = [0, 1, .max, 0x0102_0304_0506_0708]
        #expect(StateCoding.bytes(sums).suffix(8) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(StateCoding.sums(StateCoding.bytes(sums)) == sums)
        #expect(StateCoding.sums([1, 2, 3]) == nil)
        let known: [KnownSum] = [(0, 7), (70_000, .max)]
        let read = StateCoding.knownSums(StateCoding.bytes(known))
        #expect(read.map(\.block) == [0, 70_000])
        #expect(read.map(\.sum) == [7, .max])
        #expect(StateCoding.knownSums([1, 2, 3]).isEmpty)
    }

    @Test func forgettingAFile() throws {
        let folder = TestFolder()
        let state = try StateDatabase("\(folder.path)/state.sqlite", .readWrite)
        let path = try LocalPath("a")
        try state.apply([.storeFile(path, .sample, sums: [1])])
        #expect(try state.fileRecord(of: path) != nil)
        try state.apply([.dropFile(path)])
        #expect(try state.fileRecord(of: path) == nil)
    }

    @Test func lastRuns() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        func run(_ number: Int) -> RunRecord {
            RunRecord(
                id: "run \(number)", started: HTTPDate(seconds: Int64(number)), finished: HTTPDate(seconds: 99),
                exitCode: 3, files: number, failed: 1, bytesFetched: .max, bytesReused: 5, requests: 6, retries: 7)
        }
        for number in 0..<103 { #expect(await store.recordRun(run(number)) == nil) }
        await store.close()
        let look = try Store.inspect(directory: folder.path)
        #expect(look.runs().count == 100)
        #expect(look.runs().first == run(102))
        #expect(look.runs().last == run(3))
    }

    @Test func noLookUpWithoutFiles() async throws {
        let folder = TestFolder()
        let database = try StateDatabase("\(folder.path)/state.sqlite", .readWrite)
        #expect(!database.hasFiles)
        try database.apply([.storeFile(LocalPath("a"), .sample, sums: [1])])
        #expect(database.hasFiles)
    }

    @Test func transactionIsWholeOrNothing() throws {
        let folder = TestFolder()
        let database = try StateDatabase("\(folder.path)/state.sqlite", .readWrite)
        try database.apply([.storeFile(LocalPath("a"), .sample, sums: [1])])
        try database.apply([.dropFile(LocalPath("a")), .storeFile(LocalPath("b"), .sample, sums: [])], isDurable: true)
        #expect(try database.fileRecord(of: LocalPath("a")) == nil)
        #expect(try database.fileRecord(of: LocalPath("b")) == .sample)
    }

    @Test func transactionThatWasNotTakenBack() throws {
        let folder = TestFolder()
        let database = try Database("\(folder.path)/a", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try database.run("PRAGMA synchronous=NORMAL; CREATE TABLE numbers (number INTEGER)")
        try database.run("BEGIN; INSERT INTO numbers VALUES (1)")
        for isDurable in [false, true] {
            try database.transaction(isDurable: isDurable) { () throws(DatabaseError) in
                try database.run("INSERT INTO numbers VALUES (2)")
            }
            #expect(try database.integer("PRAGMA synchronous") == 1)
            try database.run("BEGIN; INSERT INTO numbers VALUES (3)")
        }
        #expect(throws: DatabaseError(code: SQLITE_ERROR)) {
            try database.transaction { () throws(DatabaseError) in
                try database.run("INSERT INTO numbers VALUES (4); nonsense")
            }
        }
        #expect(try database.text("SELECT group_concat(number) FROM numbers") == "2,2")
    }

    @Test(arguments: [
        (SQLITE_CORRUPT, true), (SQLITE_NOTADB, true), (SQLITE_FORMAT, true), (SQLITE_CORRUPT | 1 << 8, true),
        (SQLITE_ERROR, false), (SQLITE_SCHEMA, false), (SQLITE_MISMATCH, false), (SQLITE_BUSY, false),
        (SQLITE_NOMEM, false), (SQLITE_IOERR, false), (SQLITE_FULL, false), (SQLITE_MISUSE, false),
        (SQLITE_LOCKED, false), (SQLITE_PERM, false), (SQLITE_READONLY, false), (SQLITE_CANTOPEN, false),
        (SQLITE_PROTOCOL, false), (SQLITE_AUTH, false), (SQLITE_INTERNAL, false), (SQLITE_ABORT, false),
        (SQLITE_INTERRUPT, false), (SQLITE_NOLFS, false), (SQLITE_TOOBIG, false), (SQLITE_CONSTRAINT, false),
    ])
    func damage(_ row: (code: Int32, isDamage: Bool)) {
        #expect(DatabaseError(code: row.code).isDamage == row.isDamage)
        let atOpening = row.isDamage || row.code == SQLITE_ERROR
        #expect(DatabaseError(code: row.code).isDamageAtOpening == atOpening)
    }

    @Test(arguments: ["PRAGMA user_version=99", "DROP TABLE files; CREATE TABLE files (a, b)", "DROP TABLE runs"])
    func foreignTables(_ sql: String) throws {
        let folder = TestFolder()
        let path = "\(folder.path)/state.sqlite"
        _ = try StateDatabase(path, .readWrite)
        try Database(path, flags: SQLITE_OPEN_READWRITE).run(sql)
        #expect(throws: DatabaseError.foreign) { try StateDatabase(path, .readWrite) }
        #expect(DatabaseError.foreign.isDamage)
    }

    // MARK: Damage

    /// What may have become of a database.
    private enum Damage: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case zeros, empty, text, truncated, torn, newer, foreign, folder, page
        var testDescription: String { rawValue }

        func apply(to folder: TestFolder) throws {
            let name = ".mirror/state.sqlite"
            let bytes = folder.read(name)
            switch self {
            case .zeros: folder.write(name, [UInt8](repeating: 0, count: bytes.count))
            case .empty: folder.write(name, [])
            case .text: folder.write(name, Array(String(repeating: "this is no database\n", count: 500).utf8))
            case .truncated: folder.write(name, Array(bytes.prefix(bytes.count / 2)))
            case .torn: folder.write(name, Array(bytes.prefix(bytes.count - 5000)))
            case .newer: try run("PRAGMA user_version=99", folder)
            case .foreign:
                try run("DROP TABLE files; CREATE TABLE files (a, b)", folder)
            case .folder:
                unlink("\(folder.path)/\(name)")
                folder.makeFolder(name)
            case .page:
                var damaged = bytes
                for index in damaged.indices.dropFirst(4096) { damaged[index] = UInt8(truncatingIfNeeded: index) }
                folder.write(name, damaged)
            }
        }

        private func run(_ sql: String, _ folder: TestFolder) throws {
            let database = try Database("\(folder.path)/.mirror/state.sqlite", flags: 2)
            try database.run(sql)
        }
    }

    private func makeState() async throws -> TestFolder {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        try await withThrowingTaskGroup { group in
            for index in 0..<200 { group.addTask { _ = try await store.place("\(index)", [1, 2]) } }
            try await group.waitForAll()
        }
        await store.close()
        return folder
    }

    @Test(arguments: Damage.allCases) private func damagedDatabase(_ damage: Damage) async throws {
        let folder = try await makeState()
        try damage.apply(to: folder)
        let tree = folder.tree()
        let look = try Store.inspect(directory: folder.path)
        let facts = try look.localFacts(for: LocalPath("0"))
        #expect(facts.file?.size == 2)
        #expect(facts.record == nil)
        #expect(folder.tree() == tree)
        await look.close()

        let store = try await Store.open(directory: folder.path)
        #expect(try store.localFacts(for: LocalPath("0")).record == nil)
        #expect(try store.localFacts(for: LocalPath("0")).file?.size == 2)
        try await store.place("new", [1])
        #expect(try store.localFacts(for: LocalPath("new")).validRecord != nil)
        await store.close()
        // An empty file is what SQLite begins with.
        #expect(folder.names(".mirror").contains("state.sqlite.damaged") == (damage != .empty))
        let again = try await Store.open(directory: folder.path)
        #expect(try again.localFacts(for: LocalPath("new")).validRecord != nil)
        await again.close()
    }

    @Test func damageThatIsMetLater() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        try await store.place("a", pattern(100))
        // The file vanishes from under the open database, as if somebody had emptied it.
        folder.write(".mirror/state.sqlite", Array("nonsense".utf8))
        _ = try? await store.place("b", pattern(100))
        await store.close()
        #expect(folder.read("b") == pattern(100))
        let again = try await Store.open(directory: folder.path)
        #expect(try again.localFacts(for: LocalPath("b")).file?.size == 100)
        await again.close()
    }

    @Test func logOfAnotherDatabase() async throws {
        let folder = try await makeState()
        folder.write(".mirror/state.sqlite-wal", pattern(40_000))
        let store = try await Store.open(directory: folder.path)
        // A log whose header is wrong counts for nothing.
        #expect(try store.localFacts(for: LocalPath("0")).validRecord != nil)
        await store.close()
    }

    // MARK: Records and files that do not agree

    @Test func orphansOfBothKinds() async throws {
        let folder = TestFolder()
        var store = try await Store.open(directory: folder.path)
        for name in ["kept", "gone", "short", "empty"] {
            let partial = try store.makePartial(for: LocalPath(name))
            try partial.write(pattern(1000), at: 0)
            #expect(await store.checkpoint(partial, record: .sample([(0, 400), (600, 1000)], total: 2000)) == nil)
            switch name {
            case "gone": unlink("\(folder.path)/.mirror/partial/\(partial.name)")
            case "short": truncate("\(folder.path)/.mirror/partial/\(partial.name)", 700)
            case "empty": truncate("\(folder.path)/.mirror/partial/\(partial.name)", 0)
            default: break
            }
        }
        let unrecorded = try store.makePartial(for: LocalPath("unrecorded"))
        try unrecorded.write([1], at: 0)
        await store.close()
        folder.write(".mirror/partial/stranger", [1])

        store = try await Store.open(directory: folder.path)
        let records = store.partialRecords
        #expect(records.count == 2)
        #expect(try records[LocalPath("kept")] == .sample([(0, 400), (600, 1000)], total: 2000))
        #expect(try records[LocalPath("short")] == .sample([(0, 400), (600, 700)], total: 2000))
        #expect(folder.names(".mirror/partial").count == 2)
        await store.close()
        store = try await Store.open(directory: folder.path)
        #expect(store.partialRecords == records)
        await store.close()
    }

    @Test func recordsThatMakeNoSense() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write(pattern(1000), at: 0)
        #expect(await store.checkpoint(partial, record: .sample([(0, 400)], total: 2000)) == nil)
        await store.close()
        for (column, value) in [
            ("ranges", "'0-5000'"), ("ranges", "'9-3'"), ("total", "-1"), ("total", "'x'"), ("path", "'../a'"),
            ("ranges", "x'00'"), ("sums", "'abc'"),
        ] {
            let copy = TestFolder()
            folder.copyState(to: copy)
            let database = try Database("\(copy.path)/.mirror/state.sqlite", flags: 2)
            try database.run("UPDATE partials SET \(column) = \(value)")
            database.close()
            let again = try await Store.open(directory: copy.path)
            // Without its sums a record is as good as before; all else makes it void.
            #expect(again.partialRecords.isEmpty == (column != "sums"), "\(column) = \(value)")
            await again.close()
        }
    }
}
