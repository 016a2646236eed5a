import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct AtomicFileTests {
    @Test func appearsWhole() throws {
        let folder = TestFolder()
        folder.write("report.json", [1], mode: 0o640)
        let log = CallLog()
        let file = try AtomicFile(path: folder.path + "/report.json", calls: log.calls)
        let text = String(repeating: "0123456789", count: 20_000)
        try file.append(text)
        try file.append([10])
        #expect(folder.read("report.json") == [1])
        log.forget()
        try file.commit()
        #expect(folder.read("report.json") == Array((text + "\n").utf8))
        #expect(folder.names() == ["report.json"])
        #expect(folder.status("report.json")?.st_mode == S_IFREG | 0o640)
        #expect(log.changes == ["setMode", "sync", "rename", "sync"])
    }

    @Test func leavesNothingWithoutCommit() throws {
        let folder = TestFolder()
        do {
            let file = try AtomicFile(path: folder.path + "/a")
            try file.append("abc")
            #expect(folder.names().count == 1)
        }
        #expect(folder.names().isEmpty)
    }

    @Test(arguments: [ENOSPC, EIO]) func failureLeavesTheOldFile(_ code: Int32) throws {
        let folder = TestFolder()
        folder.write("a", [1])
        let log = CallLog()
        for step in 0..<3 {
            let file = try AtomicFile(path: folder.path + "/a", calls: log.calls)
            log.setRule { call in
                switch (call, step) {
                case (.append, 0), (.sync, 1), (.rename, 2): .fail(code)
                default: nil
                }
            }
            try file.append("abc")
            #expect(throws: SystemError(code).failure) { try file.commit() }
            log.setRule(nil)
            #expect(folder.read("a") == [1])
        }
        #expect(folder.names() == ["a"])
    }

    @Test func namesAndPlaces() throws {
        let folder = TestFolder()
        let long = String(repeating: "é", count: 127)
        folder.makeFolder("sub")
        folder.write("sub/target", [1])
        folder.link("link", to: "sub/target")
        for name in [long, "a", "link", "sub//b"] {
            let file = try AtomicFile(path: folder.path + "/" + name)
            try file.append([7])
            try file.commit()
            #expect(folder.read(name) == [7])
        }
        #expect(folder.status("link")?.kind == S_IFLNK)
        #expect(folder.read("sub/target") == [7])
        #expect(throws: Failure.isFolder) { try AtomicFile(path: folder.path + "/sub") }
        #expect(throws: Failure.isFolder) { try AtomicFile(path: folder.path + "/sub/") }
        #expect(throws: Failure.self) { try AtomicFile(path: folder.path + "/no/such") }
        #expect(throws: Failure.parentIsFile) { try AtomicFile(path: folder.path + "/a/b") }
    }

    @Test func deviceIsWrittenInPlace() throws {
        let file = try AtomicFile(path: "/dev/null")
        try file.append("abc")
        try file.commit()
        var status = stat()
        #expect(lstat("/dev/null", &status) == 0 && status.kind == S_IFCHR)
    }

    @Test func lastReport() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let file = try store.reportFile()
        try file.append("{}")
        try file.commit()
        #expect(folder.read(".mirror/report.json") == Array("{}".utf8))
        await store.close()
        folder.write(".mirror/.report.json.abcdef", [1])
        let again = try await Store.open(directory: folder.path)
        #expect(!folder.names(".mirror").contains(".report.json.abcdef"))
        await again.close()
    }
}
