// What the state says of a partial file that took its name while something after that failed.

import Glibc
import MirrorCore
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
        let database = TestFolder()
        folder.copyState(to: database)
        await store.close()
        #expect(try StateDatabase("\(database.path)/.mirror/state.sqlite", .readWrite).partials().isEmpty)
    }
}
