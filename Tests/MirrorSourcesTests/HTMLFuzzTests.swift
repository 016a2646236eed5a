import MirrorCore
import MirrorSources
import MirrorURL
import Testing

import struct MirrorTestSupport.Mutations

/// Damaged pages: no crash, one reading whatever the pieces, no path and no address that leads out.
struct HTMLFuzzTests {
    static let seeds: [String] = [
        """
        <html><head><title>Index of /d/</title></head><body><h1>Index of /d/</h1><hr><pre><a href="../">../</a>\r
        <a href="a%20b.iso">a b.iso</a>   29-Feb-2024 23:59   12345\r
        <a href="sub/">sub/</a>   29-Feb-2024 23:59   -\r
        <a href="%2e%2e%2fx">..&gt;</a> 29-Feb-2024 23:59   7\r
        </pre><hr></body></html>
        """,
        """
        <!DOCTYPE html><html><base href="/d/"><script>x = "</a>" < 3;</script><style>a</style><!-- <a href=no> -->
        <table id="list"><tr><td><a href='x&amp;y#sha256=\(String(repeating: "ab", count: 32))'>x</a><td>12<td>-</tr>
        <tr><td><a href=//other/z>z</a></td></tr><a href="?C=N;O=D">N</a><a href="/d/e/f//">f</a></table>caf\u{E9}
        """,
        """
        <title>x</title><ul><li><a href="y:z">1</a><li><a href="./y:z">2</a><a href="http://h/d/q">3</a>
        <a href="http://u:p@h/d/r">4</a><a href=" t\tu\nv ">5</a><a href="/d">6</a><a href="..">7</a><p><b><i><tr>
        """,
    ]

    @Test func `mutated pages are read alike in any pieces and never lead out`() throws {
        var random = Mutations(seed: 0x417)
        var named = 0
        for round in 0..<1_500 {
            var bytes = random.mutated(Array(Self.seeds[round % Self.seeds.count].utf8))
            if round % 3 == 0 { bytes = random.mutated(bytes) }
            let whole = try htmlListing(bytes, at: "http://h/d/")
            let pieces = try htmlListing(bytes, at: "http://h/d/", pieces: 1 + random.next(below: 40))
            #expect(pieces.addresses == whole.addresses, "round \(round)")
            #expect(pieces.state == whole.state, "round \(round)")
            #expect(pieces.entries.map(\.listed) == whole.entries.map(\.listed), "round \(round)")
            for entry in whole.entries {
                #expect((entry.path == nil) == (entry.options?.refusal != nil))
                #expect(entry.address.origin.description == "http://h:80")
            }
            for folder in whole.folders { #expect(folder.address.origin.description == "http://h:80") }
            named += whole.names.count
        }
        #expect(named > 3_000)
    }

    @Test func `captured pages that are cut and damaged do not trap`() throws {
        var random = Mutations(seed: 0x88)
        for page in HTMLFixture.all where page.page == "hostile" || page.page == "sub" {
            let bytes = try page.bytes()
            for _ in 0..<6 {
                let part = Array(random.mutated(bytes).prefix(random.next(below: bytes.count * 2)))
                let whole = try htmlListing(part, at: page.address)
                let pieces = try htmlListing(part, at: page.address, pieces: 1 + random.next(below: 999))
                #expect(pieces.addresses == whole.addresses, "\(page)")
                #expect(pieces.state == whole.state, "\(page)")
            }
        }
    }

    @Test func `random bytes have an end`() throws {
        var random = Mutations(seed: 5)
        for start in ["", "<", "<a href=\"", "\u{FEFF}", "<pre>"] {
            for _ in 0..<100 {
                let tail = (0..<random.next(below: 300)).map { _ in UInt8(random.next(below: 256)) }
                _ = try htmlListing(Array(start.utf8) + tail, at: "http://h/d/", charset: "utf-16")
                _ = try htmlListing([0xFF, 0xFE] + tail, at: "http://h/d/", pieces: 3)
            }
        }
    }
}
