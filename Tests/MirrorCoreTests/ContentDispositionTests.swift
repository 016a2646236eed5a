// The name that a server suggests: RFC 6266, the variants of public reports (C098) and attempts to leave DIR (C087).

import MirrorCore
import Testing

import struct MirrorTestSupport.SeededNumbers

@Suite struct ContentDispositionTests {
    @Test(
        arguments: [
            ("a token", "attachment; filename=a.iso", "a.iso"),
            ("quoted", "attachment; filename=\"a b.iso\"", "a b.iso"),
            ("inline", "inline; filename=\"a.iso\"", "a.iso"),
            ("any case", "Attachment; FileName=\"A.iso\"", "A.iso"),
            ("blanks around", "attachment ;  filename = \"a.iso\" ; x=y", "a.iso"),
            ("a semicolon in quotes", "attachment; filename=\"a;b.iso\"", "a;b.iso"),
            ("a quoted quote", "attachment; filename=\"a\\\"b.iso\"", "a\"b.iso"),
            ("no closing quote", "attachment; filename=\"a.iso", "a.iso"),
            ("after other parameters", "attachment; size=5; filename=a.iso", "a.iso"),
            ("text behind the quotes", "attachment; filename=\"a.iso\"zzz; size=5", "a.iso"),
            ("the first of two", "attachment; filename=a.iso; filename=b.iso", "a.iso"),
            ("filename* wins, first", "attachment; filename*=UTF-8''A.7z; filename=\"B.7z\"", "A.7z"),
            ("filename* wins, last", "attachment; filename=\"B.7z\"; filename*=UTF-8''A.7z", "A.7z"),
            ("a semicolon at the end", "attachment; filename*=UTF-8''file.txt;", "file.txt"),
            ("with a language", "attachment; filename*=utf-8'en'%e2%82%ac%20rates.txt", "€ rates.txt"),
            ("ISO-8859-1", "attachment; filename*=iso-8859-1'fr'Fran%E7ais.txt", "Français.txt"),
            ("filename* in quotes", "attachment; filename*=\"UTF-8''a%20b\"", "a b"),
            ("a charset nobody has: the plain one", "attachment; filename*=koi8-r''%E1; filename=a.iso", "a.iso"),
            ("not UTF-8: the plain one", "attachment; filename*=UTF-8''%FF.iso; filename=a.iso", "a.iso"),
            ("a broken escape: the plain one", "attachment; filename*=UTF-8''%4; filename=a.iso", "a.iso"),
            ("a bare percent sign: the plain one", "attachment; filename*=UTF-8''%; filename=a.iso", "a.iso"),
            ("no charset: the plain one", "attachment; filename*=a.7z; filename=b.7z", "b.7z"),
            ("escapes in the plain name stay", "attachment; filename=\"%EC%82%AC.jpg\"", "%EC%82%AC.jpg"),
            ("raw UTF-8", "attachment; filename=\"사.jpg\"", "사.jpg"),
            ("a path", "attachment; filename=\"../../.ssh/authorized_keys\"", "authorized_keys"),
            ("an absolute path", "attachment; filename=\"/etc/x\"", "x"),
            ("a path of Windows", "attachment; filename=\"..\\\\..\\\\x\"", "x"),
            ("a drive", "attachment; filename=\"C:\\temp\\x\"", "x"),
            ("an escaped slash", "attachment; filename*=UTF-8''..%2F..%2Fx", "x"),
            ("a slash under an accent", "attachment; filename=\"a/\u{301}b\"", "\u{301}b"),
            ("a slash under a stroke", "attachment; filename*=UTF-8''..%2F%CC%B8x", "\u{338}x"),
            ("nothing", "", nil),
            ("no name", "attachment", nil),
            ("no name but parameters", "attachment; size=5", nil),
            ("an empty name", "attachment; filename=\"\"", nil),
            ("an empty token", "attachment; filename=", nil),
            ("a folder", "attachment; filename=\"a/\"", nil),
            ("no type", "filename=a.iso", nil),
            ("only signs", ";;;===;\"\"=;", nil),
        ] as [(String, String, String?)])
    func fileName(_ row: (name: String, text: String, expected: String?)) {
        let found = ContentDisposition.fileName(row.text)
        #expect(found.map { Array($0.utf8) } == row.expected.map { Array($0.utf8) }, "\(row.name): \(found ?? "nil")")
    }

    /// What is not safe comes out as it is and is refused as a path.
    @Test(
        arguments: [
            ("attachment; filename=\"..\"", .dotSegment), ("attachment; filename=\".\"", .dotSegment),
            ("attachment; filename=\"a\0b\"", .nul), ("attachment; filename*=UTF-8''a%00b", .nul),
            ("attachment; filename=\".mirror\"", .reserved),
        ] as [(String, LocalPath.Problem)])
    func unsafeNamesAreNoPaths(_ row: (text: String, problem: LocalPath.Problem)) throws {
        let name = try #require(ContentDisposition.fileName(row.text))
        #expect(throws: row.problem) { try LocalPath(name) }
    }

    @Test(arguments: UInt64(0)..<40)
    func neverTrapsAndNeverGivesAPath(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let words = [
            "attachment", ";", "filename", "filename*", "=", "\"", "\\", "/", "%", "2F", "UTF-8", "'", " ", "..", "é",
            "\u{301}",
        ]
        for _ in 0..<200 {
            let count = Int.random(in: 0..<16, using: &random)
            let text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            guard let name = ContentDisposition.fileName("a; filename=\(text)") else { continue }
            #expect(!name.isEmpty && !name.utf8.contains(UInt8(ascii: "/")), "\(text)")
        }
    }
}
