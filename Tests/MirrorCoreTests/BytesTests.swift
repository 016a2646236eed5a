// Comparison by bytes, where Swift compares by canonical equivalence.

import MirrorCore
import Testing

@Suite struct BytesTests {
    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("a", "A", false), ("a", "ab", false),
        ("\u{E9}", "\u{E9}", true), ("\u{E9}", "e\u{301}", false), ("K", "\u{212A}", false), ("\0", "", false),
    ])
    func sameBytes(_ row: (left: String, right: String, expected: Bool)) {
        #expect(row.left.hasSameBytes(as: row.right) == row.expected)
        #expect(row.right.hasSameBytes(as: row.left) == row.expected)
        #expect((hash(row.left) == hash(row.right)) == row.expected)
    }

    private func hash(_ text: String) -> Int {
        var hasher = Hasher()
        text.hashBytes(into: &hasher)
        return hasher.finalize()
    }

    @Test(arguments: [
        ("Content-Range", "content-range", true), ("a", "b", false), ("a", "ab", false), ("É", "é", false),
        ("K", "\u{212A}", false), ("[", "{", false), ("@", "`", false),
    ])
    func asciiCase(_ row: (left: String, right: String, expected: Bool)) {
        #expect(row.left.equalsIgnoringASCIICase(row.right) == row.expected)
    }

    @Test func lowercases() {
        #expect("AZ[É".asciiLowercased.hasSameBytes(as: "az[É"))
        #expect("plain".asciiLowercased.hasSameBytes(as: "plain"))
    }

    @Test func classesOfBytes() {
        let all = UInt8.min...UInt8.max
        #expect(all.filter(\.isASCIIDigit) == Array("0123456789".utf8))
        #expect(
            all.filter(\.isASCIILetter)
                == Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8))
        #expect(all.compactMap(\.hexValue) == Array(0...15) + Array(10...15))
    }
}
