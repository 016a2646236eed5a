import MirrorCore
import MirrorURL
import Testing

/// Links and Location fields against the URL of their document.
struct ResolvingTests {
    @Test(arguments: [
        ("", "http://127.0.0.1:8080/pub/dir%20x/index.html?q=1"),
        ("#a", "http://127.0.0.1:8080/pub/dir%20x/index.html?q=1"),
        ("?C=N;O=D", "http://127.0.0.1:8080/pub/dir%20x/index.html?C=N;O=D"),
        (".", "http://127.0.0.1:8080/pub/dir%20x/"),
        ("./", "http://127.0.0.1:8080/pub/dir%20x/"),
        ("..", "http://127.0.0.1:8080/pub/"),
        ("../../../../x", "http://127.0.0.1:8080/x"),
        ("/", "http://127.0.0.1:8080/"),
        ("//h/x", "http://h/x"),
        ("HTTP://127.0.0.1:8080/pub/x", "http://127.0.0.1:8080/pub/x"),
        ("x y", "http://127.0.0.1:8080/pub/dir%20x/x%20y"),
        ("x?a b", "http://127.0.0.1:8080/pub/dir%20x/x?a%20b"),
        ("Now 100% better.mp3", "http://127.0.0.1:8080/pub/dir%20x/Now%20100%25%20better.mp3"),
        ("%zz", "http://127.0.0.1:8080/pub/dir%20x/%25zz"),
        ("x%", "http://127.0.0.1:8080/pub/dir%20x/x%25"),
        ("%4", "http://127.0.0.1:8080/pub/dir%20x/%254"),
        ("%2e%2e/x", "http://127.0.0.1:8080/pub/dir%20x/%2e%2e/x"),
        ("..%2f..%2fx", "http://127.0.0.1:8080/pub/dir%20x/..%2f..%2fx"),
        ("x/../y", "http://127.0.0.1:8080/pub/dir%20x/y"),
        ("x/./y", "http://127.0.0.1:8080/pub/dir%20x/x/y"),
        ("x//y", "http://127.0.0.1:8080/pub/dir%20x/x//y"),
        ("x?y?z", "http://127.0.0.1:8080/pub/dir%20x/x?y?z"),
        ("é", "http://127.0.0.1:8080/pub/dir%20x/%C3%A9"),
        ("%c3%a9", "http://127.0.0.1:8080/pub/dir%20x/%c3%a9"),
        ("./a:b", "http://127.0.0.1:8080/pub/dir%20x/a:b"),
        ("x%00y", "http://127.0.0.1:8080/pub/dir%20x/x%00y"),
        ("x%25y", "http://127.0.0.1:8080/pub/dir%20x/x%25y"),
        ("x%2525y", "http://127.0.0.1:8080/pub/dir%20x/x%2525y"),
        ("x#y?z", "http://127.0.0.1:8080/pub/dir%20x/x"),
        ("https://u:p@other/x#f", "https://u:p@other/x"),
        ("file:///etc/passwd", "file:///etc/passwd"),
    ])
    func `C093 a reference is resolved`(_ reference: String, _ result: String) throws {
        let parser = URLParser()
        let base = try parser.parse("http://127.0.0.1:8080/pub/dir%20x/index.html?q=1#f")
        #expect(try parser.resolve(reference, against: base).text.hasSameBytes(as: result))
    }

    @Test(arguments: [
        ("a:b", URLProblem.unsupportedScheme("a")), ("mailto:a@b", .unsupportedScheme("mailto")),
        ("http:x", .noSlashes("http")), ("http:/x", .noSlashes("http")), ("http:///x", .noHost),
        ("x\ty", .controlCharacter(9)), ("x\ny", .controlCharacter(10)),
    ])
    func `a reference is refused`(_ reference: String, _ problem: URLProblem) throws {
        let parser = URLParser()
        let base = try parser.parse("http://h/a")
        #expect(throws: problem) { try parser.resolve(reference, against: base) }
    }

    @Test(arguments: [
        ("http://me:word@a:80/x", "http://a/y?q#f", "http://me:word@a/y?q"),
        ("http://me:w%40rd@a/x", "http://A:80/y@z", "http://me:w%40rd@a/y@z"),
        ("http://me@a/x", "http://a/y", "http://me@a/y"),
        ("http://me:word@a/x", "http://you@a/y", "http://you@a/y"),
        ("http://me:word@a/x", "http://b/y", "http://b/y"),
        ("http://me:word@a/x", "http://a:81/y", "http://a:81/y"),
        ("http://me:word@a/x", "https://a/y", "https://a/y"),
        ("http://a/x", "http://a/y", "http://a/y"),
        ("http://me:word@[::1]:8080/x", "http://[::1]:8080/y", "http://me:word@[::1]:8080/y"),
    ])
    func `user and password go on within their origin`(first: String, target: String, result: String) throws {
        let parser = URLParser()
        let address = try parser.parse(target).inheritingUserInfo(from: try parser.parse(first), parser)
        #expect(address.text == result)
    }

    @Test func `the origin of the result is that of the result`() throws {
        let parser = URLParser()
        let base = try parser.parse("https://h1:8443/a/b")
        #expect(try parser.resolve("c", against: base).origin == base.origin)
        #expect(try parser.resolve("//h2/c", against: base).origin.description == "https://h2:443")
        #expect(try parser.resolve("http://h1:8443/c", against: base).origin != base.origin)
    }
}
