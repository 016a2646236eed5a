import MirrorCore
import MirrorSources
import Testing

/// The lines of a manifest: what is a URL, a comment, an option.
struct ManifestLinesTests {
    static let two = ["https://h/a", "https://h/b"]

    @Test(arguments: [
        "https://h/a\nhttps://h/b\n", "https://h/a\nhttps://h/b", "https://h/a\r\nhttps://h/b\r\n",
        "https://h/a\r\nhttps://h/b", "https://h/a \t\r\nhttps://h/b \t", "\n\nhttps://h/a\n \t \n\r\nhttps://h/b\n\n",
        "\u{FEFF}https://h/a\nhttps://h/b\n", "# c\nhttps://h/a\n  # c\n#c\nhttps://h/b\n\t#c",
        "https://h/a # c\nhttps://h/b\t# c https://h/c",
        "https://h/a#frag\nhttps://h/b#",
    ])
    func `C153 C154 line ends, BOM, blanks and comments do not matter`(_ text: String) {
        let parsed = manifest(text)
        #expect(parsed.urls == Self.two)
        #expect(parsed.paths == ["a", "b"])
        #expect(parsed.problems.isEmpty && parsed.warnings.isEmpty)
    }

    @Test(arguments: [
        ("https://h/a\rhttps://h/b\r", "1:12: the line has a CR without LF; end lines with LF or CRLF"),
        ("https://h/a\n\rhttps://h/b\n", "2:1: the line has a CR without LF; end lines with LF or CRLF"),
        ("https://h/a\0\n", "1:12: the line has a NUL byte; is the file UTF-16? Save it as UTF-8"),
        ("https://h/a\u{1}\n", "1:1: the URL has a control character (byte 1)"),
    ])
    func `C153 a line with other control characters is a fault`(_ text: String, _ problem: String) {
        #expect(manifest(text).problemLines == [problem])
    }

    @Test(arguments: [[0xFF, 0xFE, 0x68, 0x00], [0xFE, 0xFF, 0x00, 0x68]] as [[UInt8]])
    func `C154 UTF-16 is refused with a hint`(_ bytes: [UInt8]) {
        let parsed = ManifestParser(layout: .name).parse(bytes)
        #expect(parsed.problemLines == ["0:0: the manifest is UTF-16; save it as UTF-8"])
    }

    @Test(arguments: ["", "\n", "# only\n  # comments\n", "\u{FEFF}", " \t\r\n\r\n"])
    func `C156 a manifest without entries is a problem of its own`(_ text: String) {
        #expect(manifest(text).problemLines == ["0:0: the manifest names no files"])
    }

    @Test func `C158 tabs separate alternates`() {
        let parsed = manifest("https://h/a.iso\thttps://m1/b.iso\t\t ftp://m2/c.iso \t# two mirrors\nhttps://h/d\n")
        #expect(parsed.urls == ["https://h/a.iso", "https://h/d"])
        #expect(parsed.entries.first?.alternates.map(\.text) == ["https://m1/b.iso", "ftp://m2/c.iso"])
        #expect(parsed.paths == ["a.iso", "d"])
        #expect(parsed.problems.isEmpty)
    }

    @Test func `C158 two URLs with a blank between are not one`() {
        #expect(
            manifest("https://h/a https://m/a\n").problemLines
                == ["1:1: two URLs with a blank between; separate alternates with a TAB"])
        #expect(manifest("https://h/a b.iso\n").urls == ["https://h/a%20b.iso"])
    }

    @Test func `places are counted from one`() {
        let parsed = manifest("\n# c\r\nhttps://h/a\n\n\nhttps://h/b")
        #expect(parsed.entries.map(\.place) == [SourcePlace(source: 2, line: 3), SourcePlace(source: 2, line: 6)])
    }

    @Test func `all faults are told at once and no entry is left`() {
        let parsed = manifest(
            """
            https://h/good
              size=12x
              colour=red
            example.org/x
              out=y
            https://h/a\thttp:x
            https://h/dir/

            https://h/%2e%2e
            magnet:?xt=1
            https://user:pw@h:port/x?token=geheim
            """)
        #expect(
            parsed.problemLines == [
                "2:8: a size is a number of bytes, with k, M, G or T for powers of 1024",
                "3:3: the option «colour» is not known",
                "4:1: the URL has no scheme: write https://…",
                "6:13: after «http:» two slashes are missing: write http://…",
                "9:1: unsafe-path: the path has a part that is «.» or «..»",
                "10:1: the scheme «magnet» is not supported; http, https, ftp, ftps, sftp and file are",
                "11:1: the URL's port is not a number from 0 to 65535",
            ])
        #expect(parsed.entries.isEmpty)
    }

    @Test func `an index stands alone, and dir is its only option`() throws {
        let parsed = manifest("https://h/pub/\n  dir=a/b\nhttps://h/\n")
        #expect(parsed.problems.isEmpty && parsed.urls == ["https://h/pub/", "https://h/"])
        #expect(parsed.entries[0].path == nil && parsed.entries[0].options?.folder?.text == "a/b")
        #expect(
            manifest(
                "https://h/pub/\thttps://m/pub/\nhttps://h/a\thttps://m/\nhttps://h/x/\n  out=x\n  dir=d\n  size=9\n"
            ).problemLines
                == [
                    "1:16: an index (a URL that ends in «/») cannot be an alternate",
                    "2:13: an index (a URL that ends in «/») cannot be an alternate",
                    "4:7: the option out is for files; an index takes dir alone",
                    "6:8: the option size is for files; an index takes dir alone",
                ])
    }

    @Test func `what follows from a fault is no fault of its own`() {
        #expect(
            manifest("https://h/%2e%2e\n out=../x\nhttp:x\thttps://h/%2e%2e\n").problemLines == [
                "2:6: unsafe-path: the path has a part that is «.» or «..»",
                "3:1: after «http:» two slashes are missing: write http://…",
            ])
    }

    @Test func `C097 bytes of another encoding are kept`() {
        let bytes = Array("https://h/caf".utf8) + [0xE9] + Array(".txt # \n# ".utf8) + [0xFF, 0x0A]
        let parsed = ManifestParser(layout: .name).parse(bytes)
        #expect(parsed.urls == ["https://h/caf%E9.txt"])
        #expect(parsed.paths == ["caf%E9.txt"])
    }

    @Test func `C155 one enormous line is a fault of that line`() {
        let long = "https://h/" + String(repeating: "x", count: 10_000_000)
        let parsed = manifest("https://h/a\n\(long)\nexample.org\n")
        #expect(
            parsed.problemLines == [
                "2:1: the line has 10000010 bytes; at most 65536 are possible",
                "3:1: the URL has no scheme: write https://…",
            ])
    }

    @Test func `a file that is no manifest is not read to its end`() {
        let parsed = manifest(String(repeating: "x\n", count: 50_000))
        #expect(parsed.problems.count == ParsedSource.problemLimit + 1)
        #expect(parsed.problems.last?.message == "too many problems; the rest was not read")
    }

    @Test func `a URL read back from a report that lost its secret is refused`() {
        #expect(
            manifest("https://***@h/a\nhttps://h/b?sig=***").problemLines
                == ["1:1: the URL has lost its secret («***»)", "2:1: the URL has lost its secret («***»)"])
    }
}
