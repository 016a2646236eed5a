// Opens a path beneath a folder where the kernel has no openat2 (before 5.6, gVisor, old container profiles): one part
// at a time, each without following links. Links are read and their parts walked in turn; «..» goes back to a folder that
// was opened on the way down, never to whatever the kernel has there now. So no rename under way can lead out.

import CLinux
import Glibc

/// One walk.
struct BeneathWalk {
    let calls: SystemCalls
    /// The folder that nothing leads out of.
    let root: Int32
    let followsLinks: Bool
    /// As many as the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    private var folders: [Descriptor] = []
    /// What is left to walk, the next one last.
    private var parts: [String] = []
    private var links = 0

    init(calls: SystemCalls, root: Int32, followsLinks: Bool) {
        self.calls = calls
        self.root = root
        self.followsLinks = followsLinks
    }

    private var here: Int32 { folders.last?.number ?? root }

    mutating func open(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
        try add(path)
        while let part = parts.popLast() {
            if part == ".." {
                guard folders.popLast() != nil else { throw SystemError(EXDEV) }
                continue
            }
            let found = Descriptor(try calls.open(part, in: here, MIRROR_O_PATH | O_NOFOLLOW), calls: calls)
            let kind = try calls.status(of: found.number).kind
            if kind == S_IFLNK {
                try follow(found)
            } else if parts.isEmpty {
                // Became it a link since, O_NOFOLLOW refuses it.
                return try calls.open(part, in: here, flags | O_NOFOLLOW)
            } else if kind == S_IFDIR {
                folders.append(found)
            } else {
                throw SystemError(ENOTDIR)
            }
        }
        return try calls.open(".", in: here, flags)
    }

    private mutating func follow(_ link: Descriptor) throws(SystemError) {
        links += 1
        guard followsLinks, links <= Self.mostLinks else { throw SystemError(ELOOP) }
        try add(try calls.target(of: link.number))
    }

    private mutating func add(_ path: String) throws(SystemError) {
        if path.isEmpty { throw SystemError(ENOENT) }
        if path.utf8.first == UInt8(ascii: "/") { throw SystemError(EXDEV) }
        parts += path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { String(decoding: $0, as: UTF8.self) }
        parts.removeAll { $0 == "." }
    }
}
