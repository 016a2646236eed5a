import MirrorCore
import MirrorSources
import Testing

import struct MirrorTestSupport.Mutations

/// Nothing that comes from outside traps.
struct SourceFuzzTests {
    static let manifestSeed = """
        \u{FEFF}# comment\r
        https://u:p@h:8443/a%20b/c.iso?sig=x#f\tftp://m/c\r
          out=x/y.iso
          dir=d/
          checksum=sha-256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
          size=12k
          header=A: b
          split=4
          etag=W/"x"
          last-modified=Sun, 06 Nov 1994 08:49:37 GMT
          gid=1
        https://h/%2e%2e/%E9%00%2F
        https://h/dir/
        """

    @Test func `mutated manifests are read or refused`() {
        var random = Mutations(seed: 0xABCD)
        var read = 0
        for _ in 0..<4_000 {
            let bytes = random.mutated(Array(Self.manifestSeed.utf8))
            let parsed = ManifestParser(layout: .path).parse(bytes)
            #expect(parsed.entries.isEmpty == !parsed.problems.isEmpty)
            _ = TargetCheck(of: parsed.entries)
            let start = Array(bytes.prefix(while: { $0 != 0x67 }))
            read += SourceReader.read(start, form: .manifest, layout: .host).entries.count
        }
        #expect(read > 100)
    }

    @Test func `mutated reports are read or refused`() {
        let seed = Array(
            "{ \"schema\": \"mirror-report/1\", \"files\": [\(ReportParserTests.files)] }".utf8)
        var random = Mutations(seed: 0xBEEF)
        var read = 0
        for _ in 0..<3_000 {
            let parsed = ReportParser(layout: .name).parse(random.mutated(seed))
            if !parsed.problems.isEmpty { #expect(parsed.entries.isEmpty) }
            read += parsed.entries.count
        }
        #expect(read > 100)
    }

    @Test func `deep nesting in a report is a fault`() {
        let text = "{ \"schema\": \"mirror-report/1\", \"files\": " + String(repeating: "[", count: 200_000)
        #expect(SourceReader.read(Array(text.utf8), layout: .name).problems.count == 1)
    }

    @Test func `random bytes of any beginning have a form and are read or refused`() {
        var random = Mutations(seed: 7)
        let texts = ["{", "[", "<", "<?", "<!--", "<!doctype", "", "\u{FEFF}", "SHA256 (", "d41d8cd98f"]
        let starts = texts.map { Array($0.utf8) }
        for round in 0..<3_000 {
            let tail = (0..<random.next(below: 200)).map { _ in UInt8(random.next(below: 256)) }
            let bytes = starts[round % starts.count] + tail
            let parsed = SourceReader.read(bytes, layout: .name)
            #expect(parsed.entries.isEmpty != parsed.problems.isEmpty)
        }
    }
}
