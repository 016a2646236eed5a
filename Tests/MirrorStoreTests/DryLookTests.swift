import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct DryLookTests {
    @Test func missingDirectory() throws {
        let folder = TestFolder()
        let store = try Store.inspect(directory: folder.path + "/no/such")
        let facts = try store.localFacts(for: LocalPath("a"))
        #expect(facts.file == nil && facts.record == nil && facts.partial == nil && facts.failure == nil)
        #expect(store.root == nil)
        #expect(folder.names().isEmpty)
    }

    @Test func directoryWithoutState() throws {
        let folder = TestFolder()
        folder.write("a", [1])
        let tree = folder.tree()
        let store = try Store.inspect(directory: folder.path)
        #expect(try store.localFacts(for: LocalPath("a")).file?.size == 1)
        #expect(folder.tree() == tree)
    }

    @Test func directoryThatIsNone() {
        let folder = TestFolder()
        folder.write("a", [1])
        #expect(throws: StoreProblem.unusable(.parentIsFile)) { try Store.inspect(directory: folder.path + "/a") }
        #expect(throws: StoreProblem.unusable(.parentIsFile)) { try Store.inspect(directory: folder.path + "/a/b") }
    }

    private func check(_ folder: TestFolder) async throws {
        let tree = folder.tree()
        let store = try Store.inspect(directory: folder.path)
        #expect(try store.localFacts(for: LocalPath("a")).validRecord?.size == 100)
        #expect(try store.localFacts(for: LocalPath("p")).partial == .sample([(0, 50)], total: 100))
        #expect(try store.blockSums(of: LocalPath("a"))?.count == 1)
        #expect(throws: Failure.self) { try store.makePartial(for: LocalPath("b")) }
        #expect(throws: Failure.self) { try store.reportFile() }
        store.drop(try LocalPath("p"))
        #expect(try await store.checksum(of: LocalPath("a"), .adler32).get().value.count == 4)
        await store.close()
        #expect(folder.tree() == tree)
    }

    private func fill(_ store: Store) async throws {
        try await store.place("a", pattern(100))
        let partial = try store.makePartial(for: LocalPath("p"))
        try partial.write(pattern(50), at: 0)
        #expect(await store.checkpoint(partial, record: .sample([(0, 50)], total: 100)) == nil)
    }

    @Test(arguments: ["plain", "odd ?name#%41&é", "mode=memory?"]) func closedState(_ name: String) async throws {
        let parent = TestFolder()
        parent.makeFolder(name)
        let folder = TestFolder(below: "\(parent.path)/\(name)")
        let store = try await Store.open(directory: folder.path)
        try await fill(store)
        await store.close()
        #expect(folder.names(".mirror") == ["lock", "partial", "state.sqlite"])
        try await check(folder)
    }

    @Test func stateOfAKilledProcess() async throws {
        let original = TestFolder()
        let store = try await Store.open(directory: original.path)
        try await fill(store)
        let folder = TestFolder()
        original.copyState(to: folder)
        // The same file with the same time, or the record would not speak of it.
        folder.write("a", original.read("a"))
        let times = try #require(original.status("a")?.st_mtim)
        var both = [times, times]
        utimensat(AT_FDCWD, "\(folder.path)/a", &both, 0)
        await store.close()
        #expect(folder.read(".mirror/state.sqlite-wal").count > 0)
        let before = TestFolder.names(in: "/tmp").filter { $0.utf8.starts(with: "mirror-".utf8) && $0.utf8.count == 13 }
        try await check(folder)
        let after = TestFolder.names(in: "/tmp").filter { $0.utf8.starts(with: "mirror-".utf8) && $0.utf8.count == 13 }
        #expect(Set(after).subtracting(before).isEmpty)
        // And the next run takes it up.
        let again = try await Store.open(directory: folder.path)
        #expect(try again.localFacts(for: LocalPath("a")).validRecord?.size == 100)
        #expect(again.partialRecords.count == 1)
        await again.close()
    }

    @Test func lockOfARun() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        #expect(throws: StoreProblem.locked) { try Store.inspect(directory: folder.path) }
        await store.close()
        let first = try Store.inspect(directory: folder.path)
        let second = try Store.inspect(directory: folder.path)
        await #expect(throws: StoreProblem.locked) { try await Store.open(directory: folder.path) }
        await first.close()
        await second.close()
        let again = try await Store.open(directory: folder.path)
        await again.close()
    }
}
