// Paths below DIR: what leaves it, what does not fit, and what is mirror's own.

import MirrorCore
import Testing

@Suite struct LocalPathTests {
    private static let longest = String(repeating: "a", count: 255)
    /// 16 segments of 255 bytes: 4095 with the slashes between them.
    private static let deepest = Array(repeating: longest, count: 16).joined(separator: "/")

    @Test(arguments: [
        "a", "a/b", "a.iso", "...", "..a", "a..", ".hidden", ".mirrors", ".mirror2/x", "a/.mirror", "a b", " ", "-rf",
        "a\\b", "C:", "a\nb", "é", "사.jpg", "a/b/c/d/e", "~", "%2e%2e", "\u{301}", longest, longest + "/" + longest,
        deepest,
    ])
    func accepts(_ text: String) throws {
        let path = try LocalPath(text)
        #expect(path.text.hasSameBytes(as: text))
        #expect(path.description.hasSameBytes(as: text))
        #expect(((path.folder.map { $0 + "/" } ?? "") + path.name).elementsEqual(text))
        #expect(!path.name.utf8.contains(UInt8(ascii: "/")))
    }

    @Test(
        arguments: [
            ("", .empty),
            ("/", .absolute), ("/etc/passwd", .absolute), ("//x", .absolute), ("/..", .absolute),
            (".", .dotSegment), ("..", .dotSegment), ("../x", .dotSegment), ("a/../b", .dotSegment),
            ("a/..", .dotSegment),
            ("a/./b", .dotSegment), ("./a", .dotSegment), ("a/../../b", .dotSegment), ("../\u{301}x", .dotSegment),
            ("a//b", .emptySegment), ("a/", .emptySegment),
            ("a\0b", .nul), ("\0", .nul), ("a/\0", .nul), ("..\0/x", .nul),
            (".mirror", .reserved), (".mirror/state.sqlite", .reserved), (".mirror/../x", .reserved),
            (longest + "a", .segmentTooLong(bytes: 256)), ("x/" + longest + "a/y", .segmentTooLong(bytes: 256)),
            (String(repeating: "사", count: 86), .segmentTooLong(bytes: 258)),
            (deepest + "/", .tooLong(bytes: 4096)), (deepest + "/a", .tooLong(bytes: 4097)),
        ] as [(String, LocalPath.Problem)])
    func refuses(_ row: (text: String, problem: LocalPath.Problem)) {
        #expect(throws: row.problem) { try LocalPath(row.text) }
        #expect([.unsafePath, .nameTooLong].contains(Failure.path(row.problem).code))
    }

    @Test(
        arguments: [("a", nil, "a"), ("a/b", "a", "b"), ("a/b/c", "a/b", "c"), ("a/\u{301}b", "a", "\u{301}b")]
            as [(String, String?, String)])
    func folderAndName(_ row: (text: String, folder: String?, name: String)) throws {
        let path = try LocalPath(row.text)
        #expect(path.folder.map { Array($0.utf8) } == row.folder.map { Array($0.utf8) })
        #expect(path.name.utf8.elementsEqual(row.name.utf8))
    }

    @Test func equalityIsByBytes() throws {
        let composed = try LocalPath("\u{E9}"), decomposed = try LocalPath("e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
    }
}
