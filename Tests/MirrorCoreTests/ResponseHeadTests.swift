// What is read from the fields of a head.

import MirrorCore
import Testing

@Suite struct ResponseHeadTests {
    @Test(
        arguments: [
            (nil, false), ("", false), ("identity", false), ("IDENTITY", false), ("gzip", true), ("br", true),
            ("identity, gzip", true),
        ] as [(String?, Bool)])
    func isEncoded(_ row: (coding: String?, expected: Bool)) {
        #expect(ResponseHead(status: 200, contentEncoding: row.coding).isEncoded == row.expected)
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
