// Header fields that a user or a manifest gives: nothing in them may start a line of its own.

import MirrorCore
import Testing

@Suite struct HeaderFieldTests {
    @Test(arguments: [
        ("X-Name: value", "X-Name", "value"),
        ("X-Name:value", "X-Name", "value"),
        ("X-Name: \t value \t ", "X-Name", "value"),
        ("X-Name: a: b", "X-Name", "a: b"),
        ("X-Name:", "X-Name", ""),
        ("X-Name: a\tb", "X-Name", "a\tb"),
        ("X-Name: é", "X-Name", "é"),
        // An accent after a colon or a blank makes no other Character of it.
        ("X-Name:\u{301}a", "X-Name", "\u{301}a"),
        ("X-Name: \u{301}a", "X-Name", "\u{301}a"),
        ("!#$%&'*+-.^_`|~09azAZ: x", "!#$%&'*+-.^_`|~09azAZ", "x"),
    ])
    func reads(_ row: (text: String, name: String, value: String)) throws {
        let field = try #require(HeaderField(parsing: row.text))
        #expect(field.name.hasSameBytes(as: row.name))
        #expect(field.value.hasSameBytes(as: row.value))
    }

    @Test(arguments: [
        ("Range: bytes=0-", true), ("if-range: x", true), ("IF-NONE-MATCH: x", true), ("If-Match: *", true),
        ("If-Modified-Since: x", true), ("If-Unmodified-Since: x", true), ("Accept-Encoding: gzip", true),
        ("Content-Length: 1", true), ("Transfer-Encoding: chunked", true), ("Accept: */*", false), ("Host: h", false),
        ("X-Range: 1", false),
    ])
    func mirrorsOwn(_ row: (text: String, isReserved: Bool)) throws {
        #expect(try #require(HeaderField(parsing: row.text)).isReserved == row.isReserved)
    }

    @Test(arguments: [
        "", "X-Name", ":", ": value", " X-Name: value", "X-Name : value", "X Name: value", "X\tName: value", "é: value",
        "X(Name): value", "X@Name: value", "X[Name]: value", "X\0Name: value",
        "X-Name: a\r\nX-Injected: b", "X-Name: a\nX-Injected: b", "X-Name: a\rX-Injected: b", "X-Name: a\r\n",
        "X-Name: a\n", "X-Name:\r\n b", "X\r\n-Name: a", "\r\nX-Name: a", "X-Name: a\0b", "X-Name: a\u{1B}b",
        "X-Name: a\u{7F}b",
    ])
    func refuses(_ text: String) {
        #expect(HeaderField(parsing: text) == nil)
    }
}
