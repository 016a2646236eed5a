// What is read from the fields of a head.

import MirrorCore
import Testing

@Suite struct ResponseHeadTests {
    @Test(
        arguments: [
            (nil, false), ("", false), ("identity", false), ("IDENTITY", false), ("gzip", true), ("br", true),
            ("identity, gzip", true), ("identity, identity", false), (" , ", false), (",gzip", true),
        ] as [(String?, Bool)])
    func isEncoded(_ row: (coding: String?, expected: Bool)) {
        #expect(ResponseHead(status: 200, contentEncoding: row.coding).isEncoded == row.expected)
    }

    @Test("every line of Retry-After that is a date is counted from the answer's own Date")
    func retryAfterInSeveralLines() {
        let date = HTTPDate("Mon, 01 Jun 2026 00:00:00 GMT")
        let later = "Mon, 01 Jun 2026 00:00:30 GMT", earlier = "Mon, 01 Jun 2026 00:00:10 GMT"
        let head = ResponseHead(
            status: 503, validators: Validators(date: date), retryAfter: "\(earlier)\n5\n\(later)\nsoon")
        #expect(head.relativeRetryAfter == "10\n5\n30\nsoon")
        #expect(ResponseHead(status: 503, retryAfter: later).relativeRetryAfter == later)
    }

    @Test(
        arguments: [(302, "/b", "/b"), (302, nil, nil), (304, "/b", nil), (200, "/b", nil)] as [(Int, String?, String?)]
    )
    func redirect(_ row: (status: Int, location: String?, target: String?)) {
        #expect(RedirectRule.target(of: ResponseHead(status: row.status, location: row.location)) == row.target)
    }

    @Test(
        arguments: [(nil, false), ("bytes", false), ("", false), ("none", true), ("None", true)] as [(String?, Bool)])
    func refusesRanges(_ row: (field: String?, expected: Bool)) {
        #expect(ResponseHead(status: 200, acceptRanges: row.field).refusesRanges == row.expected)
    }

    @Test(
        arguments: [
            (nil, nil), ("text/html", "text/html"), ("Text/HTML", "text/html"),
            ("text/html; charset=utf-8", "text/html"),
            ("text/html;charset=utf-8", "text/html"), ("text/html ;x", "text/html"), ("text/html\t;x", "text/html"),
            ("", ""),
        ] as [(String?, String?)])
    func mediaType(_ row: (field: String?, expected: String?)) {
        #expect(ResponseHead(status: 200, contentType: row.field).mediaType == row.expected)
    }
}
