// What frames a body and what several lines of one field say together (RFC 9112 section 6.3, RFC 9110 section 5.3).

import MirrorCore
import MirrorTransport
import Testing

struct HeaderParserTests {
    private func head(_ lines: [String], version: String = "1.1") throws -> ResponseHead {
        var parser = HeaderParser()
        for line in ["HTTP/\(version) 200 OK"] + lines + [""] {
            _ = Array("\(line)\r\n".utf8).withUnsafeBytes { parser.add($0) }
        }
        return try #require(parser.head)
    }

    @Test(
        "where a body ends",
        arguments: [
            ([], nil, true), (["Content-Length: 5"], 5, false), (["Transfer-Encoding: chunked"], nil, false),
            (["Transfer-Encoding: Chunked", "Content-Length: 5"], nil, false),
            (["Content-Length: 5", "Transfer-Encoding: gzip, chunked"], nil, false),
            (["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], nil, false),
            (["Transfer-Encoding: identity"], nil, true), (["Transfer-Encoding:"], nil, true),
            (["Transfer-Encoding: identity", "Content-Length: 5"], 5, false),
            (["Transfer-Encoding: gzip"], nil, true), (["Content-Length: 5", "Transfer-Encoding: gzip"], nil, true),
            (["Transfer-Encoding: chunked, gzip"], nil, true), (["Transfer-Encoding: chunked;q=1"], nil, false),
        ] as [([String], Int64?, Bool)])
    func framing(row: (lines: [String], length: Int64?, endsWithConnection: Bool)) throws {
        let head = try head(row.lines)
        #expect(head.contentLength == row.length && head.endsWithConnection == row.endsWithConnection)
        #expect(try !self.head(row.lines, version: "2").endsWithConnection)
    }

    @Test func rangesThatDifferCannotBeRead() throws {
        let one = "Content-Range: bytes 0-9/100", other = "Content-Range: bytes 10-19/100"
        #expect(try head([one, one]).contentRange == "bytes 0-9/100")
        let text = try #require(try head([one, other]).contentRange)
        #expect(ContentRange(text) == nil)
    }

    @Test(
        arguments: [
            (["gzip", "identity"], true), (["identity", "gzip"], true), (["identity", "identity"], false),
            (["gzip", ""], true), (["identity, br"], true), ([""], false), ([], false),
        ])
    func codings(row: (values: [String], isEncoded: Bool)) throws {
        #expect(try head(row.values.map { "Content-Encoding: \($0)" }).isEncoded == row.isEncoded)
    }
}
