import MirrorCore
import MirrorURL
import Testing

/// Which local path a URL stands for.
struct LocalNameTests {
    private func path(_ url: String, _ layout: Layout, below folder: String? = nil) throws -> String? {
        let address = try URLParser().parse(url)
        let folder = try folder.map { try LocalPath($0) }
        return try LocalName.path(for: address, layout: layout, below: folder)?.text
    }

    private func name(_ segment: String) throws -> String? { try path("https://h/" + segment, .name) }

    @Test(arguments: [
        ("https://h/pub/a.iso", Layout.name, "a.iso"),
        ("https://h/pub/a.iso", .path, "pub/a.iso"),
        ("https://h/pub/a.iso", .host, "h/pub/a.iso"),
        ("https://h:443/pub/a.iso", .host, "h/pub/a.iso"),
        ("https://H:8443/pub/a.iso", .host, "h:8443/pub/a.iso"),
        ("http://h:443/a", .host, "h:443/a"),
        ("http://[::1]:81/a", .host, "[::1]:81/a"),
        ("ftp://u:p@h/a", .host, "h/a"),
        ("file:///srv/a", .host, "localhost/srv/a"),
        ("file:///srv/a", .path, "srv/a"),
        ("https://h/d%20x/a%20b", .path, "d x/a b"),
    ])
    func `a layout gives a path`(_ url: String, _ layout: Layout, _ expected: String) throws {
        #expect(try path(url, layout) == expected)
        #expect(try path(url, layout, below: "in/here") == "in/here/" + expected)
    }

    @Test(arguments: ["https://h/", "https://h/a/", "https://h/a/?file=x", "https://h"])
    func `a URL without a last segment names no file`(_ url: String) throws {
        for layout in Layout.allCases { #expect(try path(url, layout) == nil) }
    }

    @Test(arguments: [
        ("get?file=a.bin", "get"), ("a%3Fb=c", "a?b=c"), ("a?b%2Fc", "a"), ("a%3fb?c=d", "a?b"),
    ])
    func `C094 the query is no part of the name and an encoded question mark is`(
        _ segment: String, _ expected: String
    ) throws {
        #expect(try name(segment) == expected)
    }

    @Test(arguments: [
        ("Now 100% better.mp3", "Now 100% better.mp3"), ("%zz", "%zz"), ("%", "%"), ("%4", "%4"),
        ("100%25.txt", "100%.txt"), ("dir%2525", "dir%25"), ("a%252fb", "a%2fb"), ("%25zz", "%zz"),
        ("%23emacs%23", "#emacs#"), ("back%5Cslash", "back\\slash"), ("a+b", "a+b"), ("%2B", "+"),
    ])
    func `C093 a percent sign that is no escape stays one`(_ segment: String, _ expected: String) throws {
        #expect(try name(segment) == expected)
    }

    @Test(arguments: [
        ("caf%E9.txt", "caf%E9.txt"), ("caf%e9.txt", "caf%E9.txt"), ("%E5%FB", "%E5%FB"),
        ("caf%C3%A9.txt", "caf\u{E9}.txt"), ("%C0%AFoverlong", "%C0%AFoverlong"),
        ("%ED%A0%80surrogate", "%ED%A0%80surrogate"), ("%F0%9F%98%80", "\u{1F600}"), ("%F4%90%80%80", "%F4%90%80%80"),
        ("%E2%82", "%E2%82"), ("%F5", "%F5"), ("a%2Fb", "a%2Fb"), ("a%2fb", "a%2Fb"), ("a%00b", "a%00b"),
        ("%EF%BB%BFbom", "\u{FEFF}bom"), ("cafe%CC%81", "cafe\u{301}"),
    ])
    func `C097 bytes that cannot be in a name stay encoded`(_ segment: String, _ expected: String) throws {
        let result = try #require(try name(segment))
        #expect(result.hasSameBytes(as: expected))
    }

    @Test func `C090 two forms of one letter are two names`() throws {
        let composed = try #require(try name("caf%C3%A9"))
        let decomposed = try #require(try name("cafe%CC%81"))
        #expect(!composed.hasSameBytes(as: decomposed))
    }

    @Test(arguments: [
        ("a%252Fb", "a%252Fb"), ("a%25252Fb", "a%25252Fb"), ("caf%25E9", "caf%25E9"), ("a%2500b", "a%2500b"),
        ("a%2525E9", "a%2525E9"),
    ])
    func `a literal text that looks like an escape is told from one`(_ segment: String, _ expected: String) throws {
        #expect(try name(segment) == expected)
    }

    @Test func `different bytes never have one name`() throws {
        // All texts of up to four of the letters that can play a part in an escape, and of the bytes that are escaped.
        let letters = ["%25", "25", "2", "5", "2F", "%2F", "%E9", "E9", "%00", "00", "F", "%C3%A9"]
        var segments: [String: [UInt8]] = [:]
        var level = [""]
        for _ in 0..<4 {
            level = level.flatMap { start in letters.map { start + $0 } }
            for segment in level { segments[segment] = segment.utf8.percentDecoded() }
        }
        var bytesOfName: [[UInt8]: [UInt8]] = [:]
        let parser = URLParser()
        for (segment, bytes) in segments {
            let address = try parser.parse("https://h/" + segment)
            let path = try #require(try LocalName.path(for: address, layout: .name))
            let earlier = bytesOfName.updateValue(bytes, forKey: Array(path.text.utf8))
            if let earlier { #expect(earlier == bytes, "\(path.text)") }
        }
        #expect(bytesOfName.count > 1_000)
    }

    @Test(arguments: [
        ("https://h/%2e%2e", Layout.name), ("https://h/%2E", .name), ("https://h/.%2e", .name),
        ("https://h/%2e%2e/x", .path), ("https://h/a//x", .path), ("https://h/a/%2e/x", .host),
        ("https://h/.mirror/x", .path),
    ])
    func `C087 a path that could lead elsewhere is refused`(_ url: String, _ layout: Layout) throws {
        let address = try URLParser().parse(url)
        #expect { try LocalName.path(for: address, layout: layout) } throws: { error in
            (error as? Failure)?.code == .unsafePath
        }
    }

    @Test func `C091 a name that no file system takes is refused and a long one is not`() throws {
        #expect(try name(String(repeating: "x", count: 255)) != nil)
        #expect(try name(String(repeating: "%E6%97%A5", count: 85)) != nil)
        let address = try URLParser().parse("https://h/" + String(repeating: "%E6%97%A5", count: 86))
        #expect { try LocalName.path(for: address, layout: .name) } throws: { error in
            (error as? Failure)?.code == .nameTooLong
        }
    }

    @Test(arguments: [
        ("https://h/a/", Layout.name, "x.iso"),
        ("https://h/a/", .path, "a/x.iso"),
        ("https://h/a/", .host, "h/a/x.iso"),
        ("https://h/a/b?c", .path, "a/x.iso"),
    ])
    func `C098 a suggested name takes the place of the last segment`(
        _ url: String, _ layout: Layout, _ expected: String
    ) throws {
        let address = try URLParser().parse(url)
        let folder = try LocalPath("in")
        #expect(try LocalName.path(suggested: "x.iso", for: address, layout: layout).text == expected)
        let below = try LocalName.path(suggested: "x.iso", for: address, layout: layout, below: folder)
        #expect(below.text == "in/" + expected)
    }

    @Test(arguments: ["../x", "/etc/x", "a/b", "..", ".", "", "a\0b", ".mirror"])
    func `C087 a suggested name is never a path`(_ name: String) throws {
        let address = try URLParser().parse("https://h/a/")
        #expect { try LocalName.path(suggested: name, for: address, layout: .name) } throws: { error in
            (error as? Failure)?.code == .unsafePath
        }
    }
}
