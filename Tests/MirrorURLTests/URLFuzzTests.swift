import MirrorCore
import MirrorURL
import Testing

import struct MirrorTestSupport.Mutations

/// Nothing that comes from outside traps.
struct URLFuzzTests {
    @Test func `mutated URLs are read or refused`() throws {
        let seeds = [
            "https://user:pw@example.org:8443/pub/a%20b/../c.iso?X-Amz-Signature=abc&x=1#frag",
            "ftp://[::1%25eth0]:21/%E9%00%2F..%2f", "file:///etc/../x", "http://127.1/%zz", "sftp://h/~/x",
        ].map { Array($0.utf8) }
        var random = Mutations(seed: 0x5EED)
        let parser = URLParser()
        var read = 0
        for round in 0..<6_000 {
            let bytes = random.mutated(seeds[round % seeds.count])
            let text = String(decoding: bytes, as: UTF8.self)
            _ = Redaction.text(ofUnparsed: text)
            _ = Redaction.hidesSomething(in: text)
            guard let address = try? bytes.withUnsafeBytes({ try parser.parse(bytes: $0[...]) }) else { continue }
            read += 1
            #expect(address.path.utf8.first == UInt8(ascii: "/"), "\(address.text)")
            #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            // What was read once is read again as the same address.
            #expect((try? parser.parse(address.text))?.text == address.text, "\(text)")
            _ = Redaction.text(of: address)
            for layout in Layout.allCases { _ = try? LocalName.path(for: address, layout: layout) }
            _ = try? parser.resolve(text, against: address)
        }
        #expect(read > 500)
    }
}
