import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct TakeOverTests {
    private static let generation = Generation(total: 10, validators: Validators(etag: EntityTag("\"v1\"")))
    private static let record = PartialRecord.sample([(0, 4)], total: 10)

    private func takeOver(_ name: String, _ store: Store, size: Int64 = 4) async throws -> PartialFile {
        try await store.takeOver(
            LocalPath(name), size: size, generation: Self.generation, url: "http://example.org/a")
    }

    private func finish(_ partial: PartialFile, _ store: Store) async throws {
        try partial.write([5, 6, 7, 8, 9, 10], at: 4)
        let planned = try? store.root?.inspect(partial.path)
        let order = SealOrder(partial: partial, size: 10, planned: planned, modified: nil, record: .sample)
        _ = try await store.seal(order).get()
    }

    @Test func shortFileBecomesAPartial() async throws {
        let folder = TestFolder()
        folder.makeFolder("x")
        folder.write("x/a", [1, 2, 3, 4], mode: 0o600)
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let inode = folder.status("x/a")?.st_ino
        log.forget()
        let partial = try await takeOver("x/a", store)
        // The bytes are on disk before the record says so, and the record before the file moves.
        #expect(log.changes == ["dataSync", "transaction", "rename", "sync", "sync"])
        #expect(folder.names("x").isEmpty)
        #expect(store.localFacts(for: partial.path).partial == Self.record)
        let killed = TestFolder()
        folder.copyState(to: killed)
        try await finish(partial, store)
        #expect(folder.read("x/a") == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        #expect(folder.status("x/a")?.st_ino == inode)
        #expect(folder.status("x/a")?.st_mode == S_IFREG | 0o600)
        await store.close()

        let again = try await Store.open(directory: killed.path)
        let facts = try again.localFacts(for: LocalPath("x/a"))
        #expect(facts.partial == Self.record)
        let resumed = try again.openPartial(for: LocalPath("x/a"), record: Self.record)
        #expect(try resumed.bytes(count: 10) == [1, 2, 3, 4])
        await again.close()
    }

    /// Files that must stay where they are.
    private enum Kind: String, CaseIterable, Sendable { case hardLink, symbolicLink, otherFileSystem, readOnly }

    @Test(arguments: Kind.allCases) private func fileIsCopied(_ kind: Kind) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        folder.write("other", [1, 2, 3, 4])
        switch kind {
        case .hardLink: link("\(folder.path)/other", "\(folder.path)/a")
        case .symbolicLink: folder.link("a", to: "other")
        case .otherFileSystem:
            folder.write("a", [1, 2, 3, 4])
            log.setRule { if case .rename = $0 { .fail(EXDEV) } else { nil } }
        case .readOnly:
            folder.write("a", [1, 2, 3, 4])
            log.setRule { if case .open("a", _, let flags, _) = $0, flags & O_RDWR != 0 { .fail(EACCES) } else { nil } }
        }
        let partial = try await takeOver("a", store)
        log.setRule(nil)
        #expect(folder.read("a") == [1, 2, 3, 4])
        #expect(try partial.bytes(count: 10) == [1, 2, 3, 4])
        #expect(store.localFacts(for: partial.path).partial == Self.record)
        #expect(folder.names(".mirror/partial").count == 1)
        try await finish(partial, store)
        #expect(folder.read("a").count == 10)
        #expect(folder.read("other") == [1, 2, 3, 4])
        await store.close()
    }

    @Test func copyingThroughMemory() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        folder.write("other", [1, 2, 3, 4])
        folder.link("a", to: "other")
        log.setRule { if case .copy = $0 { .fail(EXDEV) } else { nil } }
        let partial = try await takeOver("a", store)
        #expect(try partial.bytes(count: 10) == [1, 2, 3, 4])
        await store.close()
    }

    @Test func filesThatAreNotTaken() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        folder.write("a", [1, 2, 3, 4])
        folder.makeFolder("folder")
        folder.link("out", to: "/etc/passwd")
        for (name, size) in [("a", Int64(3)), ("a", 5), ("a", 0), ("a", 11), ("missing", 4), ("out", 4)] {
            await #expect(throws: Failure.self, "\(name)") { try await takeOver(name, store, size: size) }
        }
        await #expect(throws: Failure.isFolder) { try await takeOver("folder", store) }
        #expect(folder.read("a") == [1, 2, 3, 4])
        #expect(folder.names(".mirror/partial").isEmpty)
        #expect(store.partialRecords.isEmpty)
        await store.close()
    }

    private struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: CallLog.Rule
    }

    private static let cases: [Case] = [
        Case(testDescription: "data", rule: { if case .dataSync = $0 { .fail(EIO) } else { nil } }),
        Case(testDescription: "transaction", rule: { if case .transaction = $0 { .fail(ENOSPC) } else { nil } }),
        Case(testDescription: "rename", rule: { if case .rename = $0 { .fail(EIO) } else { nil } }),
    ]

    @Test(arguments: cases) private func failureLosesNothing(_ item: Case) async throws {
        let folder = TestFolder()
        folder.write("a", [1, 2, 3, 4])
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        log.setRule(item.rule)
        await #expect(throws: Failure.self) { try await takeOver("a", store) }
        log.setRule(nil)
        #expect(folder.read("a") == [1, 2, 3, 4])
        #expect(store.partialRecords.isEmpty)
        await store.close()
    }
}
