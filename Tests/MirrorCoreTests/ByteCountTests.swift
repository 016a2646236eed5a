// Sizes as people write them: powers of 1024, and nothing that does not fit.

import MirrorCore
import Testing

@Suite struct ByteCountTests {
    private static let rows: [(String, Int64?)] = [
        ("0", 0), ("1", 1), ("1k", 1 << 10), ("1K", 1 << 10), ("4M", 4 << 20), ("2g", 2 << 30), ("3T", 3 << 40),
        ("9223372036854775807", Int64.max), ("8388607T", 8_388_607 << 40), ("007", 7),
        ("8388608T", nil), ("9223372036854775808", nil), ("99999999999999999999k", nil), ("", nil), ("k", nil),
        ("-1", nil), ("+1", nil), ("1.5M", nil), ("1 M", nil), (" 1", nil), ("1Mi", nil), ("1MB", nil), ("1P", nil),
        ("1é", nil), ("１", nil), ("1\0", nil),
    ]

    @Test(arguments: rows)
    func parse(_ row: (text: String, bytes: Int64?)) {
        #expect(ByteCount.parse(row.text) == row.bytes)
    }
}
