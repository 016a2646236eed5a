// What is read from an address once it is parsed.

import MirrorCore
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        ("https://example.org/", "/", "", true),
        ("https://example.org/a.iso", "/a.iso", "a.iso", false),
        ("https://example.org/pub/a.iso?x=1/", "/pub/a.iso", "a.iso", false),
        ("https://example.org/pub/", "/pub/", "", true),
        ("https://example.org/pub/?C=N", "/pub/", "", false),
        ("https://example.org:8443/é/%20", "/é/%20", "%20", false),
        ("https://example.org/a/\u{301}b", "/a/\u{301}b", "\u{301}b", false),
    ])
    func parts(_ row: (text: String, path: String, last: String, isIndex: Bool)) {
        let address = address(row.text)
        #expect(address.path.utf8.elementsEqual(row.path.utf8))
        #expect(address.lastSegment.utf8.elementsEqual(row.last.utf8))
        #expect(address.isIndex == row.isIndex)
        #expect(address.isHTTP)
    }

    @Test(arguments: [("http", true), ("https", true), ("ftp", false), ("sftp", false), ("file", false)])
    func isHTTP(_ row: (scheme: String, expected: Bool)) {
        #expect(address("\(row.scheme)://example.org/a").isHTTP == row.expected)
    }

    @Test func equalityIsByBytes() {
        let composed = address("https://example.org/\u{E9}"), decomposed = address("https://example.org/e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
    }

    @Test func originsDifferInSchemeHostAndPort() {
        let base = Origin(scheme: "https", host: "example.org", port: 443)
        #expect(base.description == "https://example.org:443")
        #expect(base.scheme == "https")
        #expect(base == Origin(scheme: "https", host: "example.org", port: 443))
        #expect(base != Origin(scheme: "http", host: "example.org", port: 443))
        #expect(base != Origin(scheme: "https", host: "example.com", port: 443))
        #expect(base != Origin(scheme: "https", host: "example.org", port: 8443))
    }

    @Test func entriesListEveryAddress() {
        let entry = Entry(address: address("http://a/x"), alternates: [address("http://b/x"), address("http://c/x")])
        #expect(entry.addresses.map(\.text) == ["http://a/x", "http://b/x", "http://c/x"])
        let place = SourcePlace(source: Int.max, line: Int.min)
        #expect(place.source == Int32.max && place.line == Int32.min)
    }
}
