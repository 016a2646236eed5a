import MirrorCore
import MirrorURL
import Testing

/// What an address is, and what is refused.
struct URLParserTests {
    struct Good: Sendable, CustomTestStringConvertible {
        let input: String, text: String, origin: String, path: String
        var testDescription: String { input }
        init(_ input: String, _ text: String, _ origin: String, _ path: String) {
            self.input = input
            self.text = text
            self.origin = origin
            self.path = path
        }
    }

    @Test(arguments: [
        Good("https://example.org/pub/a.iso", "https://example.org/pub/a.iso", "https://example.org:443", "/pub/a.iso"),
        Good("HTTP://EXAMPLE.org/A", "http://example.org/A", "http://example.org:80", "/A"),
        Good("http://example.org", "http://example.org/", "http://example.org:80", "/"),
        Good("http://example.org:80/a", "http://example.org/a", "http://example.org:80", "/a"),
        Good("https://example.org:80/a", "https://example.org:80/a", "https://example.org:80", "/a"),
        Good("http://example.org:08080/x", "http://example.org:8080/x", "http://example.org:8080", "/x"),
        Good(
            "https://u:P%40w@Example.org/x?q=A/b?c", "https://u:P%40w@example.org/x?q=A/b?c",
            "https://example.org:443", "/x"),
        Good("https://h/a#frag?no", "https://h/a", "https://h:443", "/a"),
        Good("https://h/a%23b#", "https://h/a%23b", "https://h:443", "/a%23b"),
        Good("https://h/?q", "https://h/?q", "https://h:443", "/"),
        Good("https://h?q=/x", "https://h/?q=/x", "https://h:443", "/"),
        Good("https://h/a b?c d", "https://h/a%20b?c%20d", "https://h:443", "/a%20b"),
        Good("https://h/caf\u{E9}", "https://h/caf%C3%A9", "https://h:443", "/caf%C3%A9"),
        Good("https://h/100%.txt", "https://h/100%25.txt", "https://h:443", "/100%25.txt"),
        Good("https://h/%zz%4?x=%", "https://h/%25zz%254?x=%25", "https://h:443", "/%25zz%254"),
        Good("https://h/%2e%2e/%2Fx", "https://h/%2e%2e/%2Fx", "https://h:443", "/%2e%2e/%2Fx"),
        Good("https://h/a/../b/./c", "https://h/b/c", "https://h:443", "/b/c"),
        Good("https://h/a//b", "https://h/a//b", "https://h:443", "/a//b"),
        Good("http://[::1]:8080/x", "http://[::1]:8080/x", "http://[::1]:8080", "/x"),
        Good("http://[2001:DB8::1]/x", "http://[2001:db8::1]/x", "http://[2001:db8::1]:80", "/x"),
        Good("http://127.1/x", "http://127.0.0.1/x", "http://127.0.0.1:80", "/x"),
        // Escapes in a host are decoded, and the host is then the one that the request goes to.
        Good("http://%36/x", "http://0.0.0.6/x", "http://0.0.0.6:80", "/x"),
        Good("http://%31%32%37.1/x", "http://127.0.0.1/x", "http://127.0.0.1:80", "/x"),
        Good("http://u%40:p@%68/x", "http://u%40:p@h/x", "http://h:80", "/x"),
        Good("ftp://h/pub/x", "ftp://h/pub/x", "ftp://h:21", "/pub/x"),
        Good("ftps://h/x", "ftps://h/x", "ftps://h:990", "/x"),
        Good("sftp://h/x", "sftp://h/x", "sftp://h:22", "/x"),
        Good("file:///etc/motd", "file:///etc/motd", "file://localhost:0", "/etc/motd"),
        Good("file://localhost/etc/motd", "file:///etc/motd", "file://localhost:0", "/etc/motd"),
    ])
    func `a URL is read`(_ row: Good) throws {
        let address = try URLParser().parse(row.input)
        #expect(address.text.hasSameBytes(as: row.text))
        #expect(address.origin.description.hasSameBytes(as: row.origin))
        #expect(String(address.path).hasSameBytes(as: row.path))
    }

    @Test(arguments: [
        ("", URLProblem.empty),
        ("example.org/x", .noScheme),
        ("example.org:8080/x", .noScheme),
        ("/etc/motd", .noScheme),
        ("#x", .noScheme),
        ("mailto:a@b", .unsupportedScheme("mailto")),
        ("javascript:void(0)", .unsupportedScheme("javascript")),
        ("gopher://h/x", .unsupportedScheme("gopher")),
        (String(repeating: "x", count: 1_000) + ":y", .noScheme),
        ("http:x", .noSlashes("http")),
        ("http:/h/x", .noSlashes("http")),
        ("http://", .noHost),
        ("http:///x", .noHost),
        ("http://user@/x", .noHost),
        ("http://h:99999/x", .badPort),
        ("http://h:pw/x", .badPort),
        ("http://a b/x", .badHost),
        ("http://a%zz/x", .malformed),
        ("http://a%2541/x", .malformed),
        ("file:///", .malformed),
        ("file:///a/..", .malformed),
        ("file://(nil)/x", .noHost),
        ("file:///..?/x", .malformed),
        ("file:///c:/x", .noHost),
        ("file:///./c:/x", .malformed),
        ("file:///./c|", .malformed),
        ("http://[::1/x", .badHost),
        ("http://h/a\tb", .controlCharacter(9)),
        ("http://h/a\rb", .controlCharacter(13)),
        ("http://h/a\0b", .controlCharacter(0)),
        ("http://h/a\u{7F}b", .controlCharacter(0x7F)),
        ("http://h/" + String(repeating: "x", count: 70_000), .tooLong(bytes: 70_009)),
    ])
    func `a URL is refused`(_ text: String, _ problem: URLProblem) {
        #expect(throws: problem) { try URLParser().parse(text) }
    }

    @Test func `every problem is one sentence that repeats no part of the URL but its scheme`() {
        let problems: [URLProblem] = [
            .empty, .noScheme, .unsupportedScheme("x"), .noSlashes("http"), .noHost, .badHost, .badPort, .badUser,
            .controlCharacter(0), .tooLong(bytes: 1), .malformed,
        ]
        for problem in problems {
            #expect(!problem.message.isEmpty)
            #expect(!problem.message.hasSuffix("."))
        }
        #expect(URLProblem.noScheme.message.contains("https://"))
    }

    @Test func `one parser reads one text after another without remembering`() throws {
        let parser = URLParser()
        #expect(try parser.parse("https://u@h1:1/a?q").text == "https://u@h1:1/a?q")
        #expect(throws: URLProblem.noScheme) { try parser.parse("relative") }
        #expect(throws: URLProblem.badPort) { try parser.parse("https://h:x/a") }
        #expect(try parser.parse("https://h2/b").text == "https://h2/b")
        #expect(try parser.parse("http://h2/b").origin.description == "http://h2:80")
        #expect(try parser.parse("https://h2:444/b").origin.description == "https://h2:444")
    }

    @Test func `C097 bytes that are not UTF-8 are asked for as they are`() throws {
        let bytes = Array("https://h/caf".utf8) + [0xE9, 0xC0, 0xAF]
        let address = try bytes.withUnsafeBytes { raw in
            try URLParser().parse(bytes: raw[...])
        }
        #expect(address.text == "https://h/caf%E9%C0%AF")
    }

    @Test(arguments: [
        ("https://h/a/", true), ("https://h/", true), ("https://h", true), ("https://h/a", false),
        ("https://h/a/?x=1", false), ("https://h/a/#x", true), ("https://h/a?b=/", false),
    ])
    func `an index is a path that ends in a slash with nothing after it`(_ text: String, _ isIndex: Bool) throws {
        #expect(try URLParser().parse(text).isIndex == isIndex)
    }
}
