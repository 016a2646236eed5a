import MirrorCore
import MirrorSources
import MirrorURL
import Testing

import struct MirrorTestSupport.Mutations

/// Damaged documents are read or refused, the same in pieces of any size, and lead nowhere that is unsafe.
struct ListingFuzzTests {
    /// Reads every mutation of a document whole and in pieces.
    /// - Parameter isBound: whether the form promises that all addresses are on the origin of the page.
    static func check(
        _ seed: [UInt8], rounds: Int, seedNumber: UInt64, isBound: Bool = false, page: Address,
        reader: (DocumentContext) -> some DocumentReader
    ) {
        var random = Mutations(seed: seedNumber)
        let context = DocumentContext(address: page)
        var named = 0
        for round in 0..<rounds {
            let bytes = round == 0 ? seed : random.mutated(seed)
            let whole = listing(bytes, by: reader(context))
            let piece = 1 + random.next(below: 40)
            let pieces = listing(bytes, by: reader(context), piece: piece)
            if whole.summary != pieces.summary {
                Issue.record("in pieces of \(piece): \(String(decoding: bytes, as: UTF8.self))")
                return
            }
            named += whole.entries.count
            for entry in whole.entries {
                if entry.path == nil, isBound { #expect(entry.options?.refusal != nil) }
                if isBound { #expect(entry.address.origin == page.origin) }
            }
            if isBound { #expect(whole.folders.allSatisfy { $0.address.origin == page.origin }) }
        }
        #expect(named > rounds / 10)
    }

    private func checkXML(_ bytes: [UInt8], seed: UInt64, isBound: Bool, at url: String) throws {
        Self.check(bytes, rounds: 250, seedNumber: seed, isBound: isBound, page: try address(url)) {
            XMLListingReader(context: $0)
        }
    }

    @Test(arguments: [
        ("nginx-xml", "hostile.xml"), ("lighttpd-propfind1", "sub.xml"), ("apache-propfind1", "dircolon.xml"),
        ("s3-moto", "v2-delim-page04.xml"), ("s3-moto", "v2-max10-url-page06.xml"), ("s3-moto", "versions.xml"),
        ("cloud-docs", "azure-list-blobs-page1.xml"), ("cloud-docs", "aws-s3-style-spaces-plus.xml"),
    ])
    func `mutated XML listings`(_ folder: String, _ name: String) throws {
        let page =
            switch folder {
            case "nginx-xml": "http://h/hostile/"
            case "lighttpd-propfind1": "http://h/tree/sub/"
            case "apache-propfind1": "http://h/tree/dir:colon/"
            default: "http://h/mirror?list-type=2"
            }
        try checkXML(try ListingFixture(folder: folder).bytes(name), seed: 11, isBound: true, at: page)
    }

    @Test func `mutated feeds, repositories and Metalinks`() throws {
        let texts = [
            "<urlset><url><loc>https://h/a?x=1&amp;y</loc></url><url><loc> https://h/b</loc></url></urlset>",
            "<rss><item xml:base='http://o/x/'><enclosure url='a%20b.mp3?x'/><enclosure url='/c'/></item></rss>",
            "<repomd><data type='primary'><checksum type='sha'>00</checksum><location href='repodata/p.gz'/><size>1</size></data></repomd>",
            "<metalink><file name='a/b'><size>8</size><url priority='1'>http://h/a</url><url>b</url></file></metalink>",
        ]
        for (index, text) in texts.enumerated() {
            try checkXML(Array(text.utf8), seed: UInt64(index), isBound: false, at: "http://h/pub/x.xml")
        }
    }
}
