// Entity tags: weak comparison by the table of RFC 9110 section 8.8.3.2, and what is no tag.

import MirrorCore
import Testing

@Suite struct EntityTagTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let left: String, right: String, weak: Bool
        var testDescription: String { "\(left) and \(right)" }

        init(_ left: String, _ right: String, weak: Bool) {
            self.left = left
            self.right = right
            self.weak = weak
        }
    }

    @Test(arguments: [
        // The table of the RFC.
        Pair("W/\"1\"", "W/\"1\"", weak: true),
        Pair("W/\"1\"", "W/\"2\"", weak: false),
        Pair("W/\"1\"", "\"1\"", weak: true),
        Pair("\"1\"", "\"1\"", weak: true),
        // Beyond it.
        Pair("\"1\"", "\"2\"", weak: false),
        Pair("\"a\"", "\"A\"", weak: false),
        Pair("\"\"", "\"\"", weak: true),
        Pair("\"1\"", "1", weak: false),
        Pair("1", "1", weak: true),
        Pair("\"\u{E9}\"", "\"e\u{301}\"", weak: false),
        Pair("W/\"\u{E9}\"", "W/\"e\u{301}\"", weak: false),
        Pair("W/\u{301}\"1\"", "W/\"1\"", weak: false),
    ])
    func compares(_ pair: Pair) throws {
        let left = try #require(EntityTag(pair.left))
        let right = try #require(EntityTag(pair.right))
        #expect(left.weaklyMatches(right) == pair.weak)
        #expect(right.weaklyMatches(left) == pair.weak)
        #expect((left == right) == pair.left.hasSameBytes(as: pair.right))
    }

    @Test(arguments: ["", " ", "\"a b\"", "\"a\"\r\n", "\"a\"\r\nX-Injected: 1", "\"a\0\"", "\"\u{7F}\"", "\"a\tb\""])
    func refuses(_ text: String) {
        #expect(EntityTag(text) == nil)
    }

    @Test func `a tag that no request could carry back is none`() {
        func tag(_ count: Int) -> String { "\"" + String(repeating: "e", count: count - 2) + "\"" }
        #expect(EntityTag(tag(EntityTag.longest)) != nil)
        #expect(EntityTag(tag(EntityTag.longest + 1)) == nil)
    }

    @Test func weakness() {
        #expect(EntityTag("W/\"1\"")?.isWeak == true)
        #expect(EntityTag("\"W/1\"")?.isWeak == false)
        #expect(EntityTag("\"1\"")?.isWeak == false)
    }
}
