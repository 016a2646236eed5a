import MirrorCore
import MirrorSources
import Testing

/// Manifests that are too large, too deep, or no text at all: refused whole, in few words.
struct HostileManifestTests {
    private func parse(_ bytes: [UInt8]) -> ParsedSource { ManifestParser(layout: .path).parse(bytes) }

    @Test func `a line of ten megabytes is one problem, and the other lines are read`() {
        var bytes = Array("https://h/a\nhttps://h/".utf8)
        bytes += [UInt8](repeating: 0x78, count: 10_000_000)
        bytes += Array("\nhttps://h/b\n  out=\(String(repeating: "y", count: 100_000))\nbad\n".utf8)
        let lines = parse(bytes).problemLines
        #expect(
            lines == [
                "2:1: the line has 10000010 bytes; at most 65536 are possible",
                "4:1: the line has 100006 bytes; at most 65536 are possible",
                "5:1: the URL has no scheme: write https://…",
            ])
    }

    @Test func `a comment of ten megabytes is a comment`() {
        let bytes = [0x23] + [UInt8](repeating: 0x78, count: 10_000_000) + Array("\nhttps://h/a\n".utf8)
        #expect(parse(bytes).urls == ["https://h/a"])
    }

    @Test func `a million options that are not known are ten thousand problems and a word about the rest`() {
        let option = Array("  option=x\n".utf8)
        var bytes = Array("https://h/a\n".utf8)
        bytes.reserveCapacity(12_000_000)
        for _ in 0..<1_000_000 { bytes += option }
        let parsed = parse(bytes)
        #expect(parsed.entries.isEmpty)
        #expect(parsed.problems.count == ParsedSource.problemLimit + 1)
        #expect(parsed.problems.last?.message == "too many problems; the rest was not read")
    }

    @Test func `a million options of aria2 are one warning`() {
        var bytes = Array("https://h/a\n".utf8)
        let option = Array("  gid=x\n".utf8)
        for _ in 0..<1_000_000 { bytes += option }
        let parsed = parse(bytes)
        #expect(parsed.entries.count == 1 && parsed.warnings.count == 1)
    }

    @Test func `an entry has at most a hundred header fields`() {
        func lines(_ count: Int) -> [UInt8] {
            Array(("https://h/a\n" + String(repeating: "  header=A: b\n", count: count)).utf8)
        }
        #expect(parse(lines(100)).entries.first?.options?.fields.count == 100)
        #expect(parse(lines(102)).problemLines.first == "102:10: the entry has more than 100 header fields")
    }

    @Test func `a path of a thousand folders, and one that is too long`() {
        let deep = String(repeating: "d/", count: 1_000)
        #expect(parse(Array("https://h/\(deep)x\n".utf8)).paths == [deep + "x"])
        let long = String(repeating: "d/", count: 3_000)
        #expect(
            parse(Array("https://h/\(long)x\n".utf8)).problemLines
                == ["1:1: name-too-long: a path of 6001 bytes; at most 4095 are possible"])
    }

    @Test(arguments: [
        ("9223372036854775807", true), ("9223372036854775808", false), ("18446744073709551615", false),
        ("18446744073709551616", false), ("-1", false), ("-0", false), ("+1", false), ("0x10", false), ("1e3", false),
        ("8388607T", true), ("8388608T", false), ("٣", false), ("1 000", false), ("1.5G", false),
    ])
    func `sizes at the edge of what fits, and beyond`(_ size: String, isRead: Bool) {
        #expect(parse(Array("https://h/a\n  size=\(size)\n".utf8)).entries.isEmpty == !isRead)
    }

    @Test(arguments: [
        "md5", "=", "md5=", "=d41d8cd98f00b204e9800998ecf8427e", "md5=d41d8cd98f00b204e9800998ecf8427",
        "md5=d41d8cd98f00b204e9800998ecf8427e0", "md5=g41d8cd98f00b204e9800998ecf8427e", "crc32=00000000",
        "md5=d41d8cd98f00b204e9800998ecf8427e,md5=x", "sha-256=\u{1B}[2J",
    ])
    func `checksums that are none`(_ checksum: String) {
        let parsed = parse(Array("https://h/a\n  checksum=\(checksum)\n".utf8))
        #expect(parsed.entries.isEmpty && parsed.problems.count == 1)
        #expect(parsed.problems.allSatisfy { $0.message.utf8.allSatisfy { $0 >= 0x20 } })
    }

    @Test(arguments: ["out=b", "size=1", "checksum=adler32=00000001", "etag=x", "split=2", "dir=c"])
    func `an option that is there twice is a problem`(_ option: String) {
        let parsed = parse(Array("https://h/a\n  \(option)\n  \(option)\n".utf8))
        #expect(parsed.problems.count == 1 && parsed.entries.isEmpty)
    }

    @Test(arguments: ["\u{B}", "\u{C}", "\u{85}", "\u{2028}"])
    func `other line ends than LF and CRLF end no line`(_ end: String) {
        let parsed = parse(Array("https://h/a\(end)https://h/b\n".utf8))
        #expect(parsed.entries.count <= 1)
    }
}
