// A tree of files with the names that servers and their readers get wrong, and what a folder holds after a run. Names
// are bytes; in the keys of both, every byte but letters, digits and `-._~/` is `%XX`, so that two keys are equal only
// where all bytes are.

import Foundation
import Glibc

/// Files below a folder: their bytes by their key.
struct OddTree: Equatable {
    private(set) var files: [String: [UInt8]] = [:]

    /// Names of files that are plain text.
    private static let names = [
        "  leading and trailing  ", "#emacs#", "-dash", "...", "..dotdot", ".hidden", "01 Jan.txt", "100%.txt",
        "?C=N;O=D", "C=N", "HEADER.html", "Name", "Parent Directory", "README", "UPPER.TXT", "upper.txt", "a:b.txt",
        "amp&.txt", "amp&amp;literal.txt", "archive.tar.gz", "back\\slash.txt", "backup.txt~",
        "brackets[1]{2}(3).txt", "cafe\u{301}-nfd.txt", "caf\u{E9}-nfc.txt", "copy&copy.txt", "double\"quote.txt",
        "emoji-\u{1F600}.txt", "equals=at@dollar$.txt", "feed.xml", "file with spaces.txt", "hash#tag.txt",
        "http:evil.txt", "less<than>.txt", "long-" + String(repeating: "abcdefghij", count: 20) + ".tar.gz",
        "new\nline.txt", "noext", "page.html", "pct%2Fslash.txt", "pct%41literal.txt", "plus+plus.txt",
        "q?x=1&y=2.txt", "semi;colon.txt", "single'quote.txt", "star*pipe|caret^.txt", "tab\there.txt", "v1.10.txt",
        "v1.9.txt", "what?.txt", "~tilde", "\u{65E5}\u{672C}\u{8A9E}.txt",
        String(repeating: "\u{9577}\u{3044}\u{540D}\u{524D}", count: 18) + ".txt",
        ".hiddendir/inner.txt", String(repeating: "D", count: 150) + "/inner.txt", "dir with spaces/inner file.txt",
        "dir#hash/inner.txt", "dir%25/inner.txt", "dir.txt/inner.txt", "dir:colon/inner.txt", "dir;p=1/inner.txt",
        "dir?q/inner.txt", "sub/deep/deeper/leaf.txt", "sub/file.txt",
        "\u{65E5}\u{672C}/\u{5185}\u{90E8}.txt",
    ]

    /// Makes a tree that holds all of them, a name that is no UTF-8, folders without files, a file of 5 MiB and an empty
    /// one, links to a folder, to a file and to nothing.
    static func make(at root: String) throws -> OddTree {
        var tree = OddTree()
        for name in names { try tree.add(Array(name.utf8), Array("\(name) has this in it\n".utf8), root) }
        try tree.add(Array("latin-".utf8) + [0xE9], Array("no UTF-8\n".utf8), root)
        try tree.add(Array("empty.bin".utf8), [], root)
        let large = (0..<(5 << 20) + 17).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B1 >> 13) }
        try tree.add(Array("m5.bin".utf8), large, root)
        for name in ["emptydir", "sub/emptydeep"] { try check(mkdir("\(root)/\(name)", 0o755), name) }
        for (name, target) in [("link-to-dir", "sub"), ("link-to-file", "noext"), ("dangling", "nowhere")] {
            try check(symlink(target, "\(root)/\(name)"), name)
        }
        for (name, bytes) in tree.files where name.hasPrefix("sub/") {
            tree.files["link-to-dir" + name.dropFirst(3)] = bytes
        }
        tree.files["link-to-file"] = tree.files["noext"]
        return tree
    }

    /// What lies below a folder now, but for mirror's own.
    static func found(at root: String) throws -> OddTree {
        var tree = OddTree()
        try tree.collect(Array(root.utf8), below: [])
        return tree
    }

    /// The same but for some keys.
    func without(_ isLeftOut: (String) -> Bool) -> OddTree {
        OddTree(files: files.filter { !isLeftOut($0.key) })
    }

    /// The same with some keys replaced.
    func renamed(_ names: [String: String]) -> OddTree {
        OddTree(files: Dictionary(uniqueKeysWithValues: files.map { (names[$0.key] ?? $0.key, $0.value) }))
    }

    /// Names that differ, in words; a failed test then prints no megabytes.
    func differences(from expected: OddTree) -> [String] {
        let keys = Set(files.keys).union(expected.files.keys)
        return keys.sorted().compactMap { key in
            guard let mine = files[key] else { return "\(key) is missing" }
            guard let theirs = expected.files[key] else { return "\(key) should not be there" }
            return mine == theirs ? nil : "\(key) has other bytes"
        }
    }

    static func key(_ name: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var key: [UInt8] = []
        for byte in name {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                key.append(byte)
            default:
                let isPlain = "-._~/".utf8.contains(byte)
                key += isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: key, as: UTF8.self)
    }

    private mutating func add(_ name: [UInt8], _ bytes: [UInt8], _ root: String) throws {
        let slash = UInt8(ascii: "/")
        let path = Array(root.utf8) + [slash] + name
        for end in path.indices.dropFirst(root.utf8.count + 1) where path[end] == slash {
            _ = mkdir(Self.text(path[..<end]), 0o755)
        }
        let file = open(Self.text(path[...]), O_WRONLY | O_CREAT | O_EXCL, 0o644)
        try Self.check(file, Self.key(name))
        defer { close(file) }
        guard write(file, bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
        // Older than any copy, so that nothing counts as changed.
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
        futimens(file, [time, time])
        files[Self.key(name)] = bytes
    }

    private mutating func collect(_ folder: [UInt8], below name: [UInt8]) throws {
        guard let entries = opendir(Self.text(folder[...])) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let own = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { start in
                    UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
                }
            }
            let text = String(decoding: own, as: UTF8.self)
            if [".", ".."].contains(text) || (name.isEmpty && text == ".mirror") { continue }
            let path = folder + [UInt8(ascii: "/")] + own
            let relative = name.isEmpty ? own : name + [UInt8(ascii: "/")] + own
            if entry.pointee.d_type == UInt8(DT_DIR) {
                try collect(path, below: relative)
            } else {
                files[Self.key(relative)] = try Self.contents(path)
            }
        }
    }

    private static func contents(_ path: [UInt8]) throws -> [UInt8] {
        let file = open(text(path[...]), O_RDONLY)
        try check(file, key(path))
        defer { close(file) }
        var status = stat()
        fstat(file, &status)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard read(file, &bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
        return bytes
    }

    private static func text(_ path: ArraySlice<UInt8>) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

    private static func check(_ code: Int32, _ name: String) throws {
        if code < 0 { throw WebServer.Problem(description: "\(name): \(String(cString: strerror(errno)))") }
    }
}
