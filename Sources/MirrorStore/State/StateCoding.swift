// How ranges and sums are written in the database, and how they are read back from one that may be damaged: anything
// that is not exactly what would have been written is nothing.

import MirrorCore

/// Ranges and sums as stored values.
package enum StateCoding {
    /// `0-99,200-299`: first and last byte, in order.
    package static func text(_ ranges: RangeSet) -> String {
        ranges.ranges.map { "\($0.first)-\($0.last)" }.joined(separator: ",")
    }

    /// - Returns: nil unless the ranges are sorted, apart from one another and within `total` bytes.
    package static func ranges(_ text: String, total: Int64) -> RangeSet? {
        var set = RangeSet()
        var previous: ByteRange?
        guard !text.isEmpty else { return set }
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let ends = part.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]),
                let range = ByteRange(first: first, last: last), range.end <= total
            else { return nil }
            if let previous, range.first <= previous.end { return nil }
            set.insert(range)
            previous = range
        }
        return set
    }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        // No number is written with a zero in front.
        guard digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        return Int64(digits: digits)
    }

    /// 8 bytes for each block, most significant first.
    package static func bytes(_ sums: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sums.count * 8)
        for sum in sums { append(sum, 8, to: &bytes) }
        return bytes
    }

    package static func sums(_ bytes: [UInt8]) -> [UInt64]? {
        guard bytes.count % 8 == 0 else { return nil }
        return stride(from: 0, to: bytes.count, by: 8).map { number(bytes[$0..<$0 + 8]) }
    }

    /// 4 bytes for the block's index, 8 for its sum, for each block that is known.
    package static func bytes(_ sums: [KnownSum]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sums.count * 12)
        for known in sums {
            append(UInt64(clamping: known.block), 4, to: &bytes)
            append(known.sum, 8, to: &bytes)
        }
        return bytes
    }

    package static func knownSums(_ bytes: [UInt8]) -> [KnownSum] {
        guard bytes.count % 12 == 0 else { return [] }
        return stride(from: 0, to: bytes.count, by: 12).map {
            (Int(truncatingIfNeeded: number(bytes[$0..<$0 + 4])), number(bytes[$0 + 4..<$0 + 12]))
        }
    }

    private static func append(_ value: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        for index in stride(from: count - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8)))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
