import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct SealTests {
    private static let time = HTTPDate(seconds: 784_111_777)

    @Test func fileTakesItsName() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let path = try LocalPath("x/y/a.bin")
        let bytes = pattern(5000)
        let file = try await store.place(path.text, bytes, modified: Self.time)
        #expect(file == LocalFile(size: 5000, modified: 784_111_777_000_000_000))
        #expect(folder.read("x/y/a.bin") == bytes)
        #expect(folder.names(".mirror/partial").isEmpty)
        await store.close()

        let again = try await Store.open(directory: folder.path)
        let facts = again.localFacts(for: path)
        #expect(facts.file == file)
        #expect(facts.validRecord?.size == 5000)
        var expected = FileRecord.sample
        expected.size = file.size
        expected.modified = file.modified
        #expect(facts.validRecord == expected)
        #expect(facts.partial == nil)
        await again.close()
    }

    @Test func emptyFileAndNoTime() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let partial = try store.makePartial(for: LocalPath("empty"))
        let order = SealOrder(partial: partial, size: 0, modified: nil, record: .sample)
        #expect(try await store.seal(order).get().size == 0)
        #expect(try store.blockSums(of: LocalPath("empty")) == [])
        await store.close()
    }

    @Test(arguments: [1, 100, 2 << 20]) func orderOfSteps(_ size: Int) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        folder.write("a", [1], mode: 0o600)
        log.forget()
        try await store.place("new/a", pattern(size), modified: Self.time)
        // The new folder lies in DIR, the new file in the new folder: both are brought to the disk.
        #expect(
            log.changes == [
                "create", "write", "setTime", "dataSync", "makeFolder", "rename", "sync", "sync", "transaction",
            ])
        log.forget()
        try await store.place("a", pattern(size), modified: Self.time)
        // The first rename finds that there is a file; its permissions go over to the new one.
        #expect(
            log.changes == [
                "create", "write", "setTime", "dataSync", "rename", "setMode", "rename", "sync", "transaction",
            ])
        await store.close()
    }

    @Test func callsForASmallFile() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        log.forget()
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write(pattern(4096), at: 0)
        let order = SealOrder(partial: partial, size: 4096, modified: Self.time, record: .sample)
        _ = try await store.seal(order).get()
        // create, write, status, time, sync, rename, close, folder sync, status, transaction
        #expect(log.seen.count == 10)
        await store.close()
    }

    @Test func oldFileKeepsItsPermissions() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        for mode: UInt32 in [0o600, 0o755, 0o444] {
            folder.write("a\(mode)", [1, 2, 3])
            chmod("\(folder.path)/a\(mode)", mode)
            try await store.place("a\(mode)", [9, 9])
            #expect(folder.status("a\(mode)")?.st_mode == S_IFREG | mode)
            #expect(folder.read("a\(mode)") == [9, 9])
        }
        let mask = umask(0)
        umask(mask)
        try await store.place("new", [1])
        #expect(folder.status("new")?.st_mode == S_IFREG | (0o666 & ~mask))
        await store.close()
    }

    /// Where something fails, and what is said then.
    private struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: CallLog.Rule
        let code: FailureCode
        /// Whether the old file is still there: after the rename the new one is.
        var oldFileStays = true
    }

    private static let cases: [Case] = [
        Case(
            testDescription: "status", rule: { if case .status("", _) = $0 { .fail(EIO) } else { nil } }, code: .io),
        Case(testDescription: "time", rule: { if case .setTime = $0 { .fail(EPERM) } else { nil } }, code: .permission),
        Case(testDescription: "data", rule: { if case .dataSync = $0 { .fail(ENOSPC) } else { nil } }, code: .diskFull),
        Case(
            testDescription: "data quota", rule: { if case .dataSync = $0 { .fail(EDQUOT) } else { nil } },
            code: .diskFull),
        Case(testDescription: "mode", rule: { if case .setMode = $0 { .fail(EPERM) } else { nil } }, code: .permission),
        Case(testDescription: "rename", rule: { if case .rename = $0 { .fail(EIO) } else { nil } }, code: .io),
        Case(
            testDescription: "folder", rule: { if case .sync = $0 { .fail(EIO) } else { nil } }, code: .io,
            oldFileStays: false),
        Case(
            testDescription: "transaction", rule: { if case .transaction = $0 { .fail(ENOSPC) } else { nil } },
            code: .diskFull, oldFileStays: false),
    ]

    @Test(arguments: cases) private func failingStep(_ item: Case) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        folder.write("a", [1, 2, 3], mode: 0o600)
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write([4, 5], at: 0)
        log.setRule(item.rule)
        let order = SealOrder(
            partial: partial, size: 2, planned: try store.root?.inspect(LocalPath("a")), modified: Self.time,
            record: .sample)
        let result = await store.seal(order)
        #expect(throws: Failure.self) { try result.get() }
        if case .failure(let failure) = result {
            #expect(failure.code == item.code)
            let saysSo = failure.message.hasSuffix("; the new file has its name, but is not recorded")
            #expect(saysSo != item.oldFileStays)
        }
        #expect(folder.read("a") == (item.oldFileStays ? [1, 2, 3] : [4, 5]))
        #expect(try store.localFacts(for: LocalPath("a")).record == nil)
        log.setRule(nil)
        if item.oldFileStays {
            // What failed can be asked for again.
            _ = try await store.seal(order).get()
            #expect(folder.read("a") == [4, 5])
        }
        await store.close()
    }

    @Test func wrongSizeNeverTakesTheName() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        for size in [Int64(1), 3, 0] {
            await #expect(throws: Failure.self) { try await store.place("a", [1, 2], size: size) }
        }
        #expect(folder.names() == [".mirror"])
        await store.close()
    }

    @Test(arguments: [true, false]) func placesThatCannotBeTaken(_ usesOpenat2: Bool) async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path, calls: SystemCalls(usesOpenat2: usesOpenat2))
        folder.makeFolder("folder")
        folder.write("file", [1])
        folder.link("out", to: "/tmp")
        folder.link("dangling", to: "nowhere")
        mkfifo("\(folder.path)/pipe", 0o600)
        for (name, failure) in [
            ("folder", Failure.isFolder), ("file/a", .parentIsFile), ("file/a/b", .parentIsFile),
            ("out/a", .leadsOutside), ("out/a/b", .leadsOutside), ("pipe", .notRegular),
        ] {
            await #expect(throws: failure, "\(name)") { try await store.place(name, [1]) }
        }
        await #expect(throws: Failure.self) { try await store.place("dangling/a", [1]) }
        #expect(folder.names() == [".mirror", "dangling", "file", "folder", "out", "pipe"])
        await store.close()
    }

    @Test func linkIsReplacedAndNeverFollowed() async throws {
        let outside = TestFolder()
        outside.write("victim", [1])
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        folder.link("a", to: outside.path + "/victim")
        try await store.place("a", [2])
        #expect(outside.read("victim") == [1])
        #expect(folder.status("a")?.kind == S_IFREG)
        await store.close()
    }

    @Test func namesOfAllKinds() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let long = String(repeating: "n", count: 255)
        let deep = (0..<15).map { _ in String(repeating: "m", count: 255) }.joined(separator: "/")
        // The same letter in one code point and in two.
        let names = [
            long, deep, "\u{E9}", "e\u{301}", "a b\n'\"\\", ".hidden", "-x", "A", "a", "x/.mirror", "%41", "ö/a",
        ]
        for (index, name) in names.enumerated() {
            try await store.place(name, [UInt8(index)])
        }
        await store.close()
        let again = try await Store.open(directory: folder.path)
        for (index, name) in names.enumerated() {
            #expect(folder.read(name) == [UInt8(index)])
            #expect(try again.localFacts(for: LocalPath(name)).validRecord != nil)
        }
        await again.close()
    }

    @Test func anotherFileSystem() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        folder.makeFolder("far")
        folder.write("far/a", [1], mode: 0o600)
        log.setRule { if case .rename(_, let from, _, let to, _) = $0, from != to { .fail(EXDEV) } else { nil } }
        log.forget()
        let file = try await store.place("far/a", [7, 8, 9], modified: Self.time)
        #expect(file == LocalFile(size: 3, modified: 784_111_777_000_000_000))
        #expect(folder.read("far/a") == [7, 8, 9])
        #expect(folder.status("far/a")?.st_mode == S_IFREG | 0o600)
        #expect(folder.names("far") == ["a"])
        #expect(folder.names(".mirror/partial").isEmpty)
        let order = [
            "rename", "remove", "create", "copy", "setMode", "setTime", "sync", "rename", "rename", "sync",
            "transaction", "remove",
        ]
        #expect(Array(log.changes.suffix(order.count)) == order)

        log.setRule {
            switch $0 {
            case .rename(_, let from, _, let to, _) where from != to: .fail(EXDEV)
            case .copy: .fail(ENOSPC)
            default: nil
            }
        }
        await #expect(throws: SystemError(ENOSPC).failure) { try await store.place("far/a", [1]) }
        #expect(folder.read("far/a") == [7, 8, 9])
        #expect(folder.names("far") == ["a"])
        await store.close()
    }

    @Test func manyFilesShareTheirSyncs() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let count = 1000
        var orders: [SealOrder] = []
        for index in 0..<count {
            let partial = try store.makePartial(for: LocalPath("d\(index % 3)/\(index)"))
            try partial.write(pattern(100, seed: UInt64(index)), at: 0)
            // One in ten does not have the size that is asked for.
            orders.append(
                SealOrder(partial: partial, size: index % 10 == 3 ? 99 : 100, modified: Self.time, record: .sample))
        }
        log.forget()
        let sealed = await withTaskGroup(of: Bool.self) { group in
            for order in orders { group.addTask { await (try? store.seal(order).get()) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(sealed == 900)
        for index in 0..<count where index % 10 != 3 {
            #expect(folder.read("d\(index % 3)/\(index)") == pattern(100, seed: UInt64(index)))
        }
        #expect(folder.names("d0").count + folder.names("d1").count + folder.names("d2").count == 900)
        await store.close()
        let again = try await Store.open(directory: folder.path)
        #expect(try again.localFacts(for: LocalPath("d2/998")).validRecord != nil)
        #expect(try again.localFacts(for: LocalPath("d1/13")).record == nil)
        await again.close()
    }

    /// A batch as the thread gets it: what is shared does not hang on how fast the test asks.
    @Test func stepsOfABatch() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let root = try #require(store.root)
        var orders: [SealOrder] = []
        for index in 0..<20 {
            let partial = try store.makePartial(for: LocalPath("d\(index % 2)/\(index)"))
            try partial.write([1], at: 0)
            orders.append(SealOrder(partial: partial, size: index == 5 ? 9 : 1, modified: nil, record: .sample))
        }
        let large = try store.makePartial(for: LocalPath("large"))
        try large.write(pattern(1 << 20), at: 0)
        orders.append(SealOrder(partial: large, size: 1 << 20, modified: nil, record: .sample))
        log.forget()
        let batch = SealBatch(orders, root: root, partials: large.folder, calls: log.calls)
        batch.run()
        #expect(batch.seals.indices.filter { batch.seals[$0].failure != nil } == [5])
        let changes = log.changes
        let synced = try #require(changes.firstIndex(of: "syncFileSystem"))
        #expect(changes[..<synced].allSatisfy { $0 == "create" || $0 == "write" })
        #expect(changes[synced...].prefix(2) == ["syncFileSystem", "dataSync"])
        #expect(changes.filter { $0 == "rename" }.count == 20)
        // The two new folders and DIR, in which they were made and in which the large file lies.
        #expect(changes.suffix(3) == ["sync", "sync", "sync"])
        #expect(changes.filter { $0 == "sync" || $0 == "syncFileSystem" || $0 == "dataSync" }.count == 5)
        await store.close()
    }

    @Test func manyFoldersShareOneSync() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let root = try #require(store.root)
        let count = SealBatch.folderLimit + 20
        let orders = try (0..<count).map { index in
            let partial = try store.makePartial(for: LocalPath("d\(index)/a"))
            try partial.write([1], at: 0)
            return SealOrder(partial: partial, size: 1, modified: nil, record: .sample)
        }
        log.forget()
        let batch = SealBatch(orders, root: root, partials: try #require(orders.first).partial.folder, calls: log.calls)
        batch.run()
        #expect(batch.seals.allSatisfy { $0.failure == nil && $0.file?.size == 1 })
        // One for the data, one for each set of folders.
        #expect(log.changes.filter { $0 == "syncFileSystem" }.count == 3)
        #expect(!log.changes.contains("sync"))
        await store.close()
    }
}
