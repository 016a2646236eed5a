import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct RemovalTests {
    /// A store with one file, and what is recorded of it.
    private static func store(
        _ folder: TestFolder, _ name: String, log: CallLog? = nil
    ) async throws -> (Store, FileRecord) {
        let store = try await Store.open(directory: folder.path, calls: log?.calls ?? SystemCalls())
        try await store.place(name, pattern(500))
        let record = try #require(store.fileRecords()?[LocalPath(name)])
        log?.forget()
        return (store, record)
    }

    private static func order(_ name: String, _ record: FileRecord, _ backup: Root? = nil) throws -> RemovalOrder {
        RemovalOrder(path: try LocalPath(name), record: record, backup: backup)
    }

    @Test func `a file goes, then its folder is synced, then the record goes, and no folder stays empty`() async throws
    {
        let folder = TestFolder()
        let log = CallLog()
        let (store, record) = try await Self.store(folder, "x/y/a", log: log)
        folder.write("x/kept", [1])
        #expect(try await store.remove(Self.order("x/y/a", record)).get() == .removed)
        #expect(folder.names() == [".mirror", "x"] && folder.names("x") == ["kept"])
        #expect(store.fileRecords()?.isEmpty == true)
        #expect(log.changes.first == "remove")
        #expect(log.changes.last == "transaction")
        #expect(log.changes.contains("sync"))
        await store.close()
    }

    @Test func `a folder that is its own backup loses nothing`() async throws {
        let folder = TestFolder()
        let (store, record) = try await Self.store(folder, "x/a")
        // DIR under another name: on a volume that folds names, or mounted a second time.
        let backup = try Root(path: folder.path, createIfMissing: false, calls: SystemCalls())
        let outcome = await store.remove(try Self.order("x/a", record, backup))
        #expect(throws: Failure(.conflict, "the backup folder is the folder that the file is in")) {
            try outcome.get()
        }
        #expect(folder.read("x/a") == pattern(500))
        #expect(store.fileRecords()?.count == 1)
        await store.close()
    }

    @Test func `what was gone when it was looked for, and is back, stays`() async throws {
        let folder = TestFolder()
        let (store, record) = try await Self.store(folder, "a")
        let order = RemovalOrder(path: try LocalPath("a"), record: record, backup: nil, forgetsOnly: true)
        #expect(try await store.remove(order).get() == .isBack)
        #expect(folder.read("a") == pattern(500))
        #expect(store.fileRecords()?.count == 1)
        await store.close()
    }

    @Test func `a file that somebody changed stays, and is no longer one that was fetched`() async throws {
        for change in ["bytes", "time", "kind", "link"] {
            let folder = TestFolder()
            let (store, record) = try await Self.store(folder, "a")
            switch change {
            case "bytes": folder.write("a", [1, 2, 3])
            case "time":
                utimensat(
                    AT_FDCWD, "\(folder.path)/a", [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)], 0)
            case "kind":
                unlink("\(folder.path)/a")
                folder.makeFolder("a")
            default:
                rename("\(folder.path)/a", "\(folder.path)/b")
                folder.link("a", to: "b")
            }
            let before = folder.tree().filter { !$0.hasPrefix(".mirror") }
            #expect(try await store.remove(Self.order("a", record)).get() == .isForeign, Comment(rawValue: change))
            #expect(folder.tree().filter { !$0.hasPrefix(".mirror") } == before)
            #expect(store.fileRecords()?.isEmpty == true)
            await store.close()
        }
    }

    @Test func `C132 nothing goes through a symbolic link`() async throws {
        let folder = TestFolder(), outside = TestFolder()
        let (store, record) = try await Self.store(folder, "x/y/a")
        for target in [outside.path, "real"] {
            TestFolder.remove("\(folder.path)/x")
            let real = target == "real" ? folder : outside
            if target == "real" { folder.makeFolder("real") }
            let below = target == "real" ? "real/y" : "y"
            real.makeFolder(below)
            real.write("\(below)/a", pattern(500))
            folder.link("x", to: target)
            let result = await store.remove(try Self.order("x/y/a", record))
            #expect(throws: Failure.self) { try result.get() }
            if case .failure(let failure) = result { #expect(failure.code == .unsafePath) }
            #expect(real.read("\(below)/a") == pattern(500))
            #expect(store.fileRecords()?.count == 1)
        }
        await store.close()
    }

    @Test func `a file that is gone already is forgotten`() async throws {
        let folder = TestFolder()
        for change in ["file", "folder", "file for a folder"] {
            let (store, record) = try await Self.store(folder, "x/a")
            unlink("\(folder.path)/x/a")
            if change != "file" { rmdir("\(folder.path)/x") }
            if change == "file for a folder" { folder.write("x", [1]) }
            #expect(try await store.remove(Self.order("x/a", record)).get() == .wasGone, Comment(rawValue: change))
            #expect(store.fileRecords()?.isEmpty == true)
            await store.close()
        }
    }

    @Test(arguments: [false, true]) func `a backup has the bytes, the time and the mode`(isFar: Bool) async throws {
        let folder = TestFolder(), kept = TestFolder()
        let log = CallLog()
        let (store, _) = try await Self.store(folder, "x/a", log: log)
        chmod("\(folder.path)/x/a", 0o640)
        let record = try #require(store.fileRecords()?[LocalPath("x/a")])
        if isFar {
            // As between two file systems.
            log.setRule { call in
                guard case .rename(let name, _, _, _, _) = call, name == "a" else { return nil }
                return .fail(EXDEV)
            }
        }
        let time = folder.status("x/a")?.st_mtim.tv_sec
        let backup = try Root(path: "\(kept.path)/old", createIfMissing: true)
        #expect(try await store.remove(Self.order("x/a", record, backup)).get() == .removed)
        #expect(kept.read("old/x/a") == pattern(500))
        #expect(kept.names("old/x") == ["a"])
        #expect(kept.status("old/x/a")?.st_mtim.tv_sec == time)
        #expect(kept.status("old/x/a")?.st_mode == S_IFREG | 0o640)
        #expect(folder.names() == [".mirror"])
        let changes = log.changes
        if isFar {
            let copied = try #require(changes.firstIndex(of: "copy")),
                gone = try #require(changes.firstIndex(of: "remove"))
            let saved = try #require(changes.firstIndex(of: "dataSync"))
            #expect(copied < saved && saved < gone)
        }
        #expect(changes.last == "transaction")
        await store.close()
    }

    @Test func `a file that has its name in the backup already loses the other one`() async throws {
        let folder = TestFolder(), kept = TestFolder()
        let (store, record) = try await Self.store(folder, "a")
        link("\(folder.path)/a", "\(kept.path)/a")
        let backup = try Root(path: kept.path, createIfMissing: false)
        #expect(try await store.remove(Self.order("a", record, backup)).get() == .removed)
        #expect(folder.names() == [".mirror"] && kept.read("a") == pattern(500))
        await store.close()
    }

    @Test func `a file system that cannot sync a folder takes part`() async throws {
        for hasBackup in [false, true] {
            let folder = TestFolder(), kept = TestFolder()
            let log = CallLog()
            let (store, record) = try await Self.store(folder, "x/a", log: log)
            log.setRule { if case .sync = $0 { .fail(EINVAL) } else { nil } }
            let backup = hasBackup ? try Root(path: kept.path, createIfMissing: false, calls: log.calls) : nil
            #expect(try await store.remove(Self.order("x/a", record, backup)).get() == .removed)
            #expect(folder.names() == [".mirror"] && kept.names() == (hasBackup ? ["x"] : []))
            await store.close()
        }
    }

    @Test func `a look says what a removal would find, and changes nothing`() async throws {
        let folder = TestFolder()
        let (store, record) = try await Self.store(folder, "x/a")
        let path = try LocalPath("x/a")
        #expect(try store.outlook(on: path, record).get() == .removed)
        folder.write("x/a", [1])
        #expect(try store.outlook(on: path, record).get() == .isForeign)
        unlink("\(folder.path)/x/a")
        #expect(try store.outlook(on: path, record).get() == .wasGone)
        rmdir("\(folder.path)/x")
        #expect(try store.outlook(on: path, record).get() == .wasGone)
        folder.makeFolder("real")
        folder.link("x", to: "real")
        #expect(throws: Failure.self) { try store.outlook(on: path, record).get() }
        #expect(store.fileRecords()?.count == 1)
        await store.close()
    }

    @Test(arguments: ["copy", "dataSync", "sync", "remove", "transaction", "rename"])
    func `a removal that fails half way loses nothing, and the next one ends it`(_ kind: String) async throws {
        let folder = TestFolder(), kept = TestFolder()
        let log = CallLog()
        let (store, record) = try await Self.store(folder, "a", log: log)
        log.setRule { call in
            if case .rename(let name, _, _, _, _) = call, name == "a" { return .fail(EXDEV) }
            switch (call, kind) {
            case (.copy, "copy"), (.dataSync, "dataSync"), (.sync, "sync"), (.remove("a", _), "remove"),
                (.transaction, "transaction"), (.rename, "rename"):
                return .fail(EIO)
            default: return nil
            }
        }
        let backup = try Root(path: kept.path, createIfMissing: false)
        let result = await store.remove(try Self.order("a", record, backup))
        #expect(throws: Failure.self) { try result.get() }
        #expect(folder.read("a") == pattern(500) || kept.read("a") == pattern(500))
        #expect(!kept.names().contains { $0.hasPrefix(".mirror-") })
        #expect(store.fileRecords()?.count == 1)
        log.setRule(nil)
        _ = try await store.remove(Self.order("a", record, backup)).get()
        #expect(kept.read("a") == pattern(500) && folder.names() == [".mirror"])
        #expect(store.fileRecords()?.isEmpty == true)
        await store.close()
    }
}
