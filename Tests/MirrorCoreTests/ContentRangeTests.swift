// Content-Range: the grammar of RFC 9110 section 14.4 and the hostile values of public reports.

import MirrorCore
import Testing

@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-0/1", range(0, 0), 1),
            ("bytes 0-499/1234", range(0, 499), 1234),
            ("bytes 734-1233/1234", range(734, 1233), 1234),
            ("bytes 42-1233/*", range(42, 1233), nil),
            ("bytes */1234", nil, 1234),
            ("bytes */0", nil, 0),
            ("BYTES 0-0/1", range(0, 0), 1),
            ("bytes  0-0/1 ", range(0, 0), 1),
            ("bytes 00-007/0010", range(0, 7), 10),
            ("bytes 0-9223372036854775806/9223372036854775807", range(0, Int64.max - 1), Int64.max),
            ("bytes 9223372036854775806-9223372036854775806/*", range(Int64.max - 1, Int64.max - 1), nil),
            ("bytes */9223372036854775807", nil, Int64.max),
        ] as [(String, ByteRange?, Int64?)])
    func reads(_ row: (text: String, range: ByteRange?, total: Int64?)) throws {
        let content = try #require(ContentRange(row.text))
        #expect(content == ContentRange(range: row.range, total: row.total))
    }

    @Test(arguments: [
        // Public reports (C065).
        "bytes 9223372036854775807-9223372036854775807/9223372036854775807", "bytes -5-3/10", "-0.99",
        "bytes 0-9/99999999999999999999", "bytes 99999999999999999999-99999999999999999999/*",
        "bytes 0-9223372036854775807/*", "bytes 0-18446744073709551615/*",
        // Not the grammar.
        "", " ", "bytes", "bytes ", "bytes */*", "bytes /10", "bytes 0-/10", "bytes -9/10", "bytes 0-9", "bytes 0-9/",
        "bytes 0-9/10/10", "bytes 0-5-9/10", "bytes=0-9/10", "bytes: 0-9/10", "0-9/10", "bytes 0 - 9/10",
        "bytes 0-9 /10",
        "items 0-9/10", "bytes 0x0-0x9/10", "bytes +0-9/10", "bytes 0-9/+10", "bytes 0-9/-10", "bytes 0-9/1e3",
        "bytes\t0-9/10", "bytes 0-9/10\0", "bytes ０-９/10", "bytes 0-4/10, bytes 5-9/10", "bytes 0-4,5-9/10",
        // Contradictions.
        "bytes 9-0/10", "bytes 0-10/10", "bytes 10-10/10", "bytes 0-0/0",
    ])
    func refuses(_ text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("9223372036854775807", Int64.max), ("00000000000000000000000000001", 1),
            ("9223372036854775808", nil), ("18446744073709551616", nil), ("", nil), ("-1", nil), ("+1", nil),
            (" 1", nil),
            ("1 ", nil), ("1,1", nil), ("١", nil), ("/", nil), (":", nil),
        ] as [(String, Int64?)])
    func digits(_ row: (text: String, value: Int64?)) {
        #expect(Int64(digits: row.text.utf8) == row.value)
    }
}
