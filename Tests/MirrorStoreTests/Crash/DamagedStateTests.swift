// What is written down may be damaged, a bit at a time or as a whole. It costs what was written down, never a file.

import CSQLite
import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct DamagedStateTests {
    private static let name = ".mirror/state.sqlite"

    /// A program that another test starts has the lock for a moment, until it is that program.
    private static func open(_ folder: TestFolder) async throws -> Store {
        try await Store.open(directory: folder.path, waitForLock: .seconds(30))
    }

    /// A DIR with the record of a partial file and of a file.
    private func prepare() async throws -> (TestFolder, PartialRecord) {
        let folder = TestFolder(below: CrashWorld.memory)
        let store = try await Self.open(folder)
        let record = PartialRecord.sample([(0, 1000), (2000, 3100)], total: 9000)
        let partial = try store.makePartial(for: LocalPath("partial"))
        try partial.write(pattern(9000), at: 0)
        #expect(await store.checkpoint(partial, record: record) == nil)
        partial.close()
        try await store.place("file", pattern(500))
        await store.close()
        return (folder, record)
    }

    @Test func `a flipped bit of a partial file's row never makes another claim`() async throws {
        let (folder, record) = try await prepare()
        let bytes = folder.read(Self.name)
        let text = Array("0-999,2000-3099".utf8)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        var readable = 0
        for index in start - 200..<start + text.count + 20 {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                folder.write("damaged.sqlite", damaged)
                defer { unlink("\(folder.path)/damaged.sqlite") }
                guard let state = try? StateDatabase("\(folder.path)/damaged.sqlite", .readWrite),
                    let partials = try? state.partials()
                else { continue }
                readable += 1
                for (path, stored) in partials {
                    #expect(path.text == "partial" && stored.record == record, "byte \(index), bit \(bit)")
                }
            }
        }
        #expect(readable > 500, "most of the damage is such that SQLite does not see it")
    }

    @Test(arguments: [
        SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM, SQLITE_AUTH, SQLITE_BUSY, SQLITE_LOCKED,
        SQLITE_NOMEM, SQLITE_FULL, SQLITE_PROTOCOL, SQLITE_INTERNAL, SQLITE_NOLFS,
    ])
    func `a state that is out of reach for now is kept`(code: Int32) async throws {
        let (folder, record) = try await prepare()
        DatabaseWatch.refuse("\(folder.path)/\(Self.name)", code)
        await #expect(throws: StoreProblem.self) { try await Store.open(directory: folder.path) }
        #expect(folder.names(".mirror").contains("state.sqlite"))
        #expect(!folder.names(".mirror").contains { $0.contains("damaged") })
        let store = try await Self.open(folder)
        #expect(try store.localFacts(for: LocalPath("partial")).partial == record)
        await store.close()
    }

    @Test(arguments: [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_READONLY])
    func `a state that is damaged is set aside`(code: Int32) async throws {
        let (folder, _) = try await prepare()
        DatabaseWatch.refuse("\(folder.path)/\(Self.name)", code)
        let store = try await Self.open(folder)
        #expect(folder.names(".mirror").contains("state.sqlite.damaged"))
        #expect(try store.localFacts(for: LocalPath("partial")).partial == nil)
        await store.close()
    }

    @Test func `a flipped byte of the first page never stops a run`() async throws {
        let (folder, _) = try await prepare()
        let bytes = folder.read(Self.name)
        for index in 0..<110 {
            var damaged = bytes
            damaged[index] ^= 0xFF
            folder.write(Self.name, damaged)
            do {
                let store = try await Self.open(folder)
                #expect(await store.recordRun(Self.run) == nil, "byte \(index)")
                await store.close()
            } catch {
                Issue.record("byte \(index): \(error)")
            }
        }
    }

    private static let run = RunRecord(
        id: "run", started: HTTPDate(seconds: 1), finished: HTTPDate(seconds: 2), exitCode: 0)
}
