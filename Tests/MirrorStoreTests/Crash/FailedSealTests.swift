// What the state says of a partial file that took its name while something after that failed.

import CSQLite
import Glibc
import MirrorCore
import MirrorThreads
import Testing

@testable import MirrorStore

@Suite struct FailedSealTests {
    @Test func `a file with its final name is no partial file any more`() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let path = try LocalPath("a")
        let partial = try store.makePartial(for: path)
        try partial.write([4, 5], at: 0)
        #expect(await store.checkpoint(partial, record: .sample([(0, 2)], total: 2)) == nil)
        log.setRule { if case .sync = $0 { .fail(EIO) } else { nil } }
        let order = SealOrder(partial: partial, size: 2, modified: nil, record: .sample)
        await #expect(throws: Failure.self) { try await store.seal(order).get() }
        #expect(folder.read("a") == [4, 5])
        #expect(store.localFacts(for: path).partial == nil)
        log.setRule(nil)
        // Whoever keeps it for another run keeps nothing.
        #expect(await store.checkpoint(partial, record: .sample([(0, 2)], total: 2)) == nil)
        #expect(store.localFacts(for: path).partial == nil)
        let database = TestFolder()
        folder.copyState(to: database)
        await store.close()
        #expect(try StateDatabase("\(database.path)/.mirror/state.sqlite", .readWrite).partials().isEmpty)
    }

    @Test func `bytes that were copied stay until the copy's name is on the disk`() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let path = try LocalPath("a")
        let partial = try store.makePartial(for: path)
        try partial.write([4, 5], at: 0)
        let record = PartialRecord.sample([(0, 2)], total: 2)
        #expect(await store.checkpoint(partial, record: record) == nil)
        let isNamed = Locked(false)
        log.setRule { call in
            switch call {
            case .rename(_, let from, _, let to, _):
                if from != to { return .fail(EXDEV) }
                isNamed.withLock { $0 = true }
            case .sync where isNamed.withLock({ $0 }): return .fail(EIO)
            default: break
            }
            return nil
        }
        let order = SealOrder(partial: partial, size: 2, modified: nil, record: .sample)
        await #expect(throws: Failure.self) { try await store.seal(order).get() }
        #expect(folder.names(".mirror/partial").count == 1)
        #expect(await store.checkpoint(partial, record: record) == nil)
        #expect(store.localFacts(for: path).partial == record)
        log.setRule(nil)
        #expect(
            try await store.seal(
                SealOrder(
                    partial: partial, size: 2, planned: store.root?.inspect(path), modified: nil, record: .sample)
            ).get().size == 2)
        #expect(folder.names(".mirror/partial").isEmpty)
        await store.close()
    }

    @Test(arguments: [(EIO, true), (EACCES, true), (EROFS, true), (ENOSPC, true), (EMFILE, false), (ENOMEM, false)])
    func `a state that cannot be written to ends the run`(code: Int32, endsRun: Bool) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        log.setRule { if case .transaction = $0 { .fail(code) } else { nil } }
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write([4, 5], at: 0)
        let order = SealOrder(partial: partial, size: 2, modified: nil, record: .sample)
        guard case .failure(let failure) = await store.seal(order) else {
            Issue.record("it was recorded")
            return
        }
        #expect(failure.endsRun == endsRun)
        #expect(failure.code == SystemError(code).failure.code)
        #expect(folder.read("a") == [4, 5])
        await store.close()
    }

    @Test(arguments: [
        (SQLITE_IOERR, Int32(EIO), true), (SQLITE_IOERR, 0, true), (SQLITE_PERM, 0, true), (SQLITE_READONLY, 0, true),
        (SQLITE_FULL, 0, true), (SQLITE_BUSY, 0, true), (SQLITE_CANTOPEN, EMFILE, false), (SQLITE_NOMEM, 0, false),
        (SQLITE_TOOBIG, 0, false), (SQLITE_CONSTRAINT, 0, false),
    ])
    func `which errors of the state end the run`(code: Int32, systemCode: Int32, endsRun: Bool) {
        #expect(DatabaseError(code: code, systemCode: systemCode).failureOfRun.endsRun == endsRun)
    }
}
