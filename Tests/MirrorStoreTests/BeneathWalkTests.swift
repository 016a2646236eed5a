// The walk for kernels without openat2 does what openat2 does: every path of a tree full of links gives the same file
// or the same error.

import CLinux
import Glibc
import MirrorCore
import MirrorThreads
import Testing

@testable import MirrorStore

@Suite struct BeneathWalkTests {
    private static let paths = [
        ".", "a", "a/", "a/.", "a/b", "missing", "missing/b", "folder", "folder/", "folder/.", "folder/b", "folder/./b",
        "folder//b", "./folder/b", "folder/../a", "folder/..", "..", "../a", "folder/../..", "folder/../../a", "/a",
        "/etc/passwd", "", "inside", "folder/up", "folder/up/x", "dangling", "dangling/x", "outside", "absolute",
        "loop", "loop/x", "first", "linked", "linked/b", "linked/../a", "linked/up", "outfolder", "outfolder/passwd",
        "deep/link/b", "deep/link/../folder/b", "deep/out", "deep/back/a", "pipe", "pipe/x", "chain0", "chain39",
        "chain41",
        "emptyish/b",
    ]

    private func makeTree() -> TestFolder {
        let parent = TestFolder()
        parent.write("a", [9])
        parent.makeFolder("root")
        func link(_ name: String, _ target: String) { parent.link("root/" + name, to: target) }
        parent.write("root/a", [1])
        parent.makeFolder("root/folder")
        parent.write("root/folder/b", [2])
        parent.makeFolder("root/deep")
        mkfifo("\(parent.path)/root/pipe", 0o600)
        link("inside", "folder/b")
        link("folder/up", "../a")
        link("dangling", "nothing")
        link("outside", "../a")
        link("absolute", "\(parent.path)/root/a")
        link("loop", "loop")
        link("first", "second")
        link("second", "first")
        link("linked", "folder")
        link("outfolder", "/etc")
        link("deep/link", "../folder/.")
        link("deep/out", "../../root/a")
        link("deep/back", "..")
        link("emptyish", ".//./folder//")
        for index in 0..<42 { link("chain\(index)", index == 0 ? "a" : "chain\(index - 1)") }
        return parent
    }

    private struct Found: Equatable {
        var code: Int32 = 0
        var inode: ino_t = 0
    }

    private func open(
        _ path: String, _ folder: Int32, _ flags: Int32, _ calls: SystemCalls, followsLinks: Bool
    ) -> Found {
        do throws(SystemError) {
            let file = Descriptor(
                try calls.openBeneath(path, in: folder, flags, followsLinks: followsLinks), calls: calls)
            return Found(inode: try calls.status(of: file.number).st_ino)
        } catch {
            return Found(code: error.code)
        }
    }

    @Test(.enabled(if: SystemCalls.hasOpenat2, "there is no openat2 to compare with"), arguments: [true, false])
    func sameAsOpenat2(followsLinks: Bool) throws {
        let parent = makeTree()
        let kernel = SystemCalls(usesOpenat2: true)
        let walk = SystemCalls(usesOpenat2: false)
        let root = Descriptor(
            try kernel.open("\(parent.path)/root", in: AT_FDCWD, O_RDONLY | O_DIRECTORY), calls: kernel)
        for path in Self.paths {
            for flags in [MIRROR_O_PATH, MIRROR_O_PATH | O_DIRECTORY, O_RDONLY | O_NONBLOCK, O_RDONLY | O_DIRECTORY] {
                let expected = open(path, root.number, flags, kernel, followsLinks: followsLinks)
                let found = open(path, root.number, flags, walk, followsLinks: followsLinks)
                // A file with a slash behind it is a file here, and names of entries never end in one.
                if path == "a/" || path == "a/." { continue }
                #expect(found == expected, "\(path) \(flags)")
            }
        }
    }

    /// The folder is swapped for a link that leads outside, between any two steps.
    @Test func swappedOnTheWay() throws {
        let parent = makeTree()
        let path = parent.path
        for step in 0..<12 {
            let log = CallLog()
            let number = Locked(0)
            log.setRule { _ in
                let now = number.withLock { number in
                    number += 1
                    return number
                }
                guard now == step else { return nil }
                rename("\(path)/root/folder", "\(path)/root/moved")
                symlink("/etc", "\(path)/root/folder")
                return nil
            }
            let calls = SystemCalls(observer: log, usesOpenat2: false)
            let root = Descriptor(
                try SystemCalls().open("\(path)/root", in: AT_FDCWD, O_RDONLY | O_DIRECTORY), calls: SystemCalls())
            let outside = open("folder/passwd", root.number, O_RDONLY, calls, followsLinks: true)
            #expect(outside.code == EXDEV || outside.code == ENOENT || outside.code == ELOOP, "\(step) \(outside)")
            unlink("\(path)/root/folder")
            rename("\(path)/root/moved", "\(path)/root/folder")
        }
    }

    @Test func noDescriptorStaysOpen() throws {
        let parent = makeTree()
        let log = CallLog()
        let calls = SystemCalls(observer: log, usesOpenat2: false)
        let root = Descriptor(
            try SystemCalls().open("\(parent.path)/root", in: AT_FDCWD, O_RDONLY | O_DIRECTORY), calls: SystemCalls())
        for path in Self.paths { _ = open(path, root.number, MIRROR_O_PATH, calls, followsLinks: true) }
        let opened = log.opened
        let closed = log.seen.count { if case .close = $0 { true } else { false } }
        #expect(opened == closed && opened > 50)
    }

    /// A whole run of the store.
    @Test func storeWithoutOpenat2() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path, calls: SystemCalls(usesOpenat2: false))
        try await store.place("x/y/a", [1, 2, 3])
        try await store.place("x/y/a", [4])
        #expect(folder.read("x/y/a") == [4])
        await store.close()
        let look = try Store.inspect(directory: folder.path, calls: SystemCalls(usesOpenat2: false))
        #expect(try look.localFacts(for: LocalPath("x/y/a")).validRecord?.size == 1)
    }
}
