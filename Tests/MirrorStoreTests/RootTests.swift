import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct RootTests {
    private struct Case: CustomTestStringConvertible, Sendable {
        let path: String
        let outcome: Result<LocalFile?, Failure>
        var testDescription: String { path }
    }

    private static func size(_ size: Int64) -> Result<LocalFile?, Failure> {
        .success(LocalFile(size: size, modified: 0))
    }

    private static let cases: [Case] = [
        Case(path: "a", outcome: size(3)),
        Case(path: "missing", outcome: .success(nil)),
        Case(path: "folder", outcome: .failure(.isFolder)),
        Case(path: "folder/b", outcome: size(5)),
        Case(path: "folder/missing", outcome: .success(nil)),
        Case(path: "no/such/folder", outcome: .success(nil)),
        Case(path: "a/b", outcome: .failure(.parentIsFile)),
        Case(path: "a/b/c", outcome: .failure(.parentIsFile)),
        Case(path: "pipe", outcome: .failure(.notRegular)),
        Case(path: "inside", outcome: size(5)),
        Case(path: "folder/up", outcome: size(3)),
        Case(path: "dangling", outcome: .success(nil)),
        Case(path: "outside", outcome: .failure(.leadsOutside)),
        Case(path: "absolute", outcome: .failure(.leadsOutside)),
        Case(path: "loop", outcome: .failure(.leadsOutside)),
        Case(path: "linked/b", outcome: size(5)),
        Case(path: "outfolder/passwd", outcome: .failure(.leadsOutside)),
        Case(path: "outfolder/no/such", outcome: .failure(.leadsOutside)),
        Case(path: "linkfolder", outcome: .failure(.isFolder)),
    ]

    private func makeTree() -> TestFolder {
        let folder = TestFolder()
        folder.write("a", [1, 2, 3])
        folder.makeFolder("folder")
        folder.write("folder/b", [1, 2, 3, 4, 5])
        mkfifo("\(folder.path)/pipe", 0o644)
        folder.link("inside", to: "folder/b")
        folder.link("folder/up", to: "../a")
        folder.link("dangling", to: "nothing")
        folder.link("outside", to: "../../../../../../etc/passwd")
        folder.link("absolute", to: "/etc/passwd")
        folder.link("loop", to: "loop")
        folder.link("linked", to: "folder")
        folder.link("outfolder", to: "/etc")
        folder.link("linkfolder", to: "folder")
        return folder
    }

    /// With openat2 and where there is none.
    @Test(arguments: cases, [true, false]) private func inspection(_ item: Case, _ usesOpenat2: Bool) throws {
        let folder = makeTree()
        let root = try Root(
            path: folder.path, createIfMissing: false, calls: SystemCalls(usesOpenat2: usesOpenat2))
        let path = try LocalPath(item.path)
        // Twice: the second look uses the folder that the first one opened.
        for _ in 0..<2 {
            let found: Result<LocalFile?, Failure> = Result { () throws(Failure) in
                try root.inspect(path).map { LocalFile(size: $0.size, modified: 0) }
            }
            #expect(found == item.outcome)
        }
    }

    @Test func oneCallForAFileOfTheSameFolder() throws {
        let folder = makeTree()
        let log = CallLog()
        let root = try Root(path: folder.path, createIfMissing: false, calls: log.calls)
        _ = try root.inspect(LocalPath("folder/b"))
        log.forget()
        _ = try root.inspect(LocalPath("folder/missing"))
        _ = try root.inspect(LocalPath("folder/b"))
        _ = try root.inspect(LocalPath("a"))
        #expect(log.seen.count == 3)
    }

    @Test(arguments: [true, false]) func readingAFile(_ usesOpenat2: Bool) throws {
        let folder = makeTree()
        let root = try Root(
            path: folder.path, createIfMissing: false, calls: SystemCalls(usesOpenat2: usesOpenat2))
        let file = try root.openForReading(LocalPath("inside"))
        var buffer = [UInt8](repeating: 0, count: 10)
        let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 2) }
        #expect(Array(buffer.prefix(count)) == [3, 4, 5])
        for (name, failure) in [
            ("outside", Failure.leadsOutside), ("folder", .isFolder), ("pipe", .notRegular), ("a/b", .parentIsFile),
        ] {
            #expect(throws: failure) { try root.openForReading(LocalPath(name)) }
        }
    }

    @Test func directoryIsMadeWithItsParents() throws {
        let folder = TestFolder()
        #expect(throws: Failure.self) { try Root(path: folder.path + "/x/y", createIfMissing: false) }
        let root = try Root(path: folder.path + "/x//y/z/", createIfMissing: true)
        #expect(folder.status("x/y/z")?.kind == S_IFDIR)
        #expect(root.freeSpace ?? 0 > 0)
        folder.write("file", [])
        #expect(throws: Failure.parentIsFile) { try Root(path: folder.path + "/file", createIfMissing: true) }
        #expect(throws: Failure.parentIsFile) { try Root(path: folder.path + "/file/x", createIfMissing: true) }
    }

    private struct ErrorCase: CustomTestStringConvertible, Sendable {
        let code: Int32
        let failure: FailureCode
        var testDescription: String { "\(code) is \(failure.rawValue)" }
    }

    private static let errors: [ErrorCase] = [
        ErrorCase(code: ENOSPC, failure: .diskFull), ErrorCase(code: EDQUOT, failure: .diskFull),
        ErrorCase(code: EACCES, failure: .permission), ErrorCase(code: EPERM, failure: .permission),
        ErrorCase(code: EROFS, failure: .permission), ErrorCase(code: ENAMETOOLONG, failure: .nameTooLong),
        ErrorCase(code: EXDEV, failure: .unsafePath), ErrorCase(code: ELOOP, failure: .unsafePath),
        ErrorCase(code: EISDIR, failure: .conflict), ErrorCase(code: ENOTDIR, failure: .conflict),
        ErrorCase(code: EIO, failure: .io), ErrorCase(code: EMFILE, failure: .io),
        ErrorCase(code: 99_999, failure: .io),
    ]

    @Test(arguments: errors) private func systemErrors(_ item: ErrorCase) {
        let failure = SystemError(item.code).failure
        #expect(failure.code == item.failure)
        #expect(!failure.message.isEmpty)
    }

    @Test func errorOfALook() throws {
        let folder = makeTree()
        let log = CallLog()
        let root = try Root(path: folder.path, createIfMissing: false, calls: log.calls)
        log.setRule { if case .status("a", _) = $0 { .fail(EIO) } else { nil } }
        #expect(throws: SystemError(EIO).failure) { try root.inspect(LocalPath("a")) }
    }
}

extension RootTests {
    /// As FUSE answers for a file system that cannot say: no blocks, none free.
    @Test func fileSystemThatDoesNotTellItsSpace() throws {
        #expect(try Root(path: "/proc", createIfMissing: false).freeSpace == nil)
        #expect(try Root(path: "/", createIfMissing: false).freeSpace != nil)
    }
}
