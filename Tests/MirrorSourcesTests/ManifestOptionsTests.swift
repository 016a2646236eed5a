import MirrorCore
import MirrorSources
import Testing

/// The options of manifest entries.
struct ManifestOptionsTests {
    private func options(_ lines: String...) -> ParsedSource {
        manifest("https://h/x/a.iso\n" + lines.map { "  \($0)\n" }.joined())
    }

    static let sha = String(repeating: "9f", count: 32)

    @Test func `every option reaches its entry and no other`() throws {
        let parsed = manifest(
            """
            https://h/a
            \tout=images/b.iso
             checksum=SHA256=\(Self.sha)
              size=2k
              header=X-A: 1
              header=X-B: 2
              referer=https://h/
              user-agent=me/1
              split=8
              etag="x"
              last-modified=Sun, 06 Nov 1994 08:49:37 GMT
            https://h/c
            """)
        #expect(parsed.problems.isEmpty && parsed.warnings.isEmpty)
        #expect(parsed.paths == ["images/b.iso", "c"])
        let options = try #require(parsed.entries.first?.options)
        #expect(options.checksum?.description == "sha-256=\(Self.sha)")
        #expect(options.size == 2_048)
        #expect(options.fields.map { "\($0.name)=\($0.value)" } == ["X-A=1", "X-B=2"])
        #expect(options.referer == "https://h/")
        #expect(options.userAgent == "me/1")
        #expect(options.split == 8)
        #expect(options.validators.etag?.text == "\"x\"")
        #expect(options.validators.lastModified == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(options.namesPath)
        #expect(parsed.entries.last?.options == nil)
    }

    @Test(arguments: [
        (["out=b"], "b"), (["out = b c "], "b c"), (["out=b#1 # x"], "b#1 # x"), (["out=a=b"], "a=b"),
        (["dir=d"], "d/a.iso"), (["dir=d/e/"], "d/e/a.iso"), (["dir=."], "a.iso"), (["dir=d", "out=b"], "d/b"),
        (["out=e/b", "dir=d"], "d/e/b"),
    ])
    func `out and dir make the path`(_ lines: [String], _ path: String) {
        let parsed = manifest("https://h/x/a.iso\n" + lines.map { " \($0)\n" }.joined())
        #expect(parsed.problems.isEmpty)
        #expect(parsed.paths == [path])
    }

    @Test func `dir goes in front of what the layout gives and of what the server names`() {
        let parsed = manifest("https://h/x/a\n dir=d\nhttps://h/x/?f=1\n dir=e\n", layout: .path)
        #expect(parsed.paths == ["d/x/a", nil])
        #expect(parsed.entries.last?.options?.folder?.text == "e")
        #expect(parsed.entries.last?.options?.namesPath == false)
    }

    @Test(arguments: [
        ("etag=\"x\"", "\"x\""), ("etag=x", "\"x\""), ("etag=W/\"x\"", "W/\"x\""),
    ])
    func `an ETag may come without its quotes`(_ line: String, _ tag: String) {
        #expect(options(line).entries.first?.options?.validators.etag?.text == tag)
    }

    @Test func `a date may be the one of a report`() {
        let parsed = options("last-modified=1994-11-06T08:49:37Z")
        #expect(parsed.entries.first?.options?.validators.lastModified == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        ("size=0", 0), ("size=734003200", 734_003_200), ("size=1K", 1_024), ("size=3M", 3_145_728),
        ("size=1g", 1_073_741_824), ("size=1T", 1_099_511_627_776),
    ])
    func `a size may have a unit`(_ line: String, _ size: Int64) {
        #expect(options(line).entries.first?.options?.size == size)
    }

    @Test(arguments: [
        ("out=/etc/passwd", 7, "unsafe-path: the path is absolute"),
        ("out=../x", 7, "unsafe-path: the path has a part that is «.» or «..»"),
        ("out=a//b", 7, "unsafe-path: the path has an empty part"),
        ("out=.mirror/x", 7, "unsafe-path: the folder «.mirror» is mirror's own"),
        ("dir=/iso", 7, "unsafe-path: the path is absolute"),
        ("dir=/", 7, "unsafe-path: the path is absolute"),
        ("dir=a/..", 7, "unsafe-path: the path has a part that is «.» or «..»"),
        ("out=", 7, "the option out has no value"),
        ("size=-1", 8, "a size is a number of bytes, with k, M, G or T for powers of 1024"),
        ("size=1.5M", 8, "a size is a number of bytes, with k, M, G or T for powers of 1024"),
        ("size=k", 8, "a size is a number of bytes, with k, M, G or T for powers of 1024"),
        ("size=9223372036854775808", 8, "a size is a number of bytes, with k, M, G or T for powers of 1024"),
        ("size=9007199254740992T", 8, "a size is a number of bytes, with k, M, G or T for powers of 1024"),
        ("checksum=9f", 12, "a checksum is written TYPE=HEX, such as sha-256=9f86…"),
        (
            "checksum=crc32=9f", 12,
            "the checksum type is not known; sha-512, sha-384, sha-256, sha-1, md5, adler32 are"
        ),
        ("checksum=md5=9f", 12, "a md5 checksum has 32 hexadecimal digits, not 2"),
        ("checksum=adler32=0000000g", 12, "the checksum has a character that is no hexadecimal digit"),
        ("header=X", 10, "a header is written Name: value"),
        ("header=X Y: 1", 10, "a header is written Name: value"),
        ("header=range: bytes=0-", 10, "the header field range is set by mirror itself"),
        ("referer=a\u{1}", 11, "the value has a control character"),
        ("split=0", 9, "split is a number from 1 to 64"),
        ("split=65", 9, "split is a number from 1 to 64"),
        ("split=+4", 9, "split is a number from 1 to 64"),
        ("etag=a b", 8, "an ETag has neither blanks nor control characters"),
        (
            "last-modified=yesterday", 17,
            "the date is not like «Sun, 06 Nov 1994 08:49:37 GMT» nor like «1994-11-06T08:49:37Z»"
        ),
        (
            "last-modified=2026-02-30T00:00:00Z", 17,
            "the date is not like «Sun, 06 Nov 1994 08:49:37 GMT» nor like «1994-11-06T08:49:37Z»"
        ),
        ("Out=x", 3, "the option «Out» is not known"),
        ("--out=x", 3, "the option «--out» is not known"),
        ("=x", 3, "the option «» is not known"),
        ("a\u{1B}[31m\u{202E}b=x", 3, "the option «a?[31m?b» is not known"),
        ("out", 3, "an indented line is an option; an option is written name=value"),
        ("https://h/b", 3, "an indented line is an option; a URL starts at the start of its line"),
        ("https://h/b?c=d", 3, "an indented line is an option; a URL starts at the start of its line"),
    ])
    func `C087 C158 a wrong option is a fault at its place`(_ line: String, _ column: Int, _ message: String) {
        #expect(options(line).problemLines == ["2:\(column): \(message)"])
    }

    @Test func `an option before any URL is a fault`() {
        #expect(
            manifest("# c\n  out=x\nhttps://h/a\n").problemLines
                == ["2:3: an indented line is an option, but no URL stands before it"])
    }

    @Test func `an option comes once but for header`() {
        #expect(options("out=a", "size=1", "out=b").problemLines == ["4:7: the entry has the option out already"])
        #expect(options("header=A: 1", "header=A: 1").problems.isEmpty)
        #expect(manifest("https://h/a\n out=x\nhttps://h/b\n out=y\n").problems.isEmpty)
    }

    @Test func `bytes that are not UTF-8 are no value`() {
        let parsed = ManifestParser(layout: .name).parse(Array("https://h/a\n out=".utf8) + [0xE9])
        #expect(parsed.problemLines == ["2:6: the value of out is not valid UTF-8"])
    }

    @Test func `C158 options of aria2 without a meaning here warn once each`() {
        let parsed = manifest(
            """
            https://h/a
              gid=2089b05ecca3d829
              max-connection-per-server=16
              continue=true
            https://h/b
              max-connection-per-server=8
              pause=true
            """)
        #expect(parsed.urls == ["https://h/a", "https://h/b"])
        #expect(parsed.entries.allSatisfy { $0.options == nil })
        #expect(
            parsed.warningLines == [
                "2:3: the option gid of aria2 has no meaning here",
                "3:3: the option max-connection-per-server of aria2 has no meaning here",
                "4:3: the option continue of aria2 has no meaning here",
                "7:3: the option pause of aria2 has no meaning here",
            ])
    }

    @Test func `an unknown option shows no secret and is not shown whole`() {
        let parsed = options("user:geheim@" + String(repeating: "x", count: 1_000) + "=1")
        #expect(parsed.problems.count == 1)
        #expect(parsed.problems.first?.message.contains("geheim") == false)
        #expect((parsed.problems.first?.message.utf8.count ?? 0) < 200)
    }
}
