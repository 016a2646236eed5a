// Which bytes of a file are there. The set of a partial file decides what is asked for, so it is kept exact:
// sorted, disjoint, and never with two neighbours that touch.

/// A set of byte offsets as sorted ranges.
package struct RangeSet: Sendable, Equatable {
    package private(set) var ranges: [ByteRange] = []

    package init() {}

    package init(_ ranges: some Sequence<ByteRange>) {
        for range in ranges { insert(range) }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    /// Bytes in the set.
    package var count: Int64 { ranges.reduce(0) { $0 + $1.count } }

    /// The offset behind the last byte of the set; 0 for an empty one.
    package var end: Int64 { ranges.last?.end ?? 0 }

    /// Adds a range; what it overlaps or touches becomes one with it.
    package mutating func insert(_ range: ByteRange) {
        // Bytes arrive in order almost always: the common case is the last range growing.
        if let last = ranges.last, last.end == range.first, let grown = ByteRange(first: last.first, last: range.last) {
            ranges[ranges.count - 1] = grown
            return
        }
        let lower = ranges.firstIndex { $0.end >= range.first } ?? ranges.endIndex
        let upper = ranges[lower...].firstIndex { $0.first > range.end } ?? ranges.endIndex
        let touched = ranges[lower..<upper]
        let first = min(range.first, touched.first?.first ?? range.first)
        let last = max(range.last, touched.last?.last ?? range.last)
        guard let merged = ByteRange(first: first, last: last) else { return }
        ranges.replaceSubrange(lower..<upper, with: CollectionOfOne(merged))
    }

    /// Takes away every byte from `offset` on.
    package mutating func truncate(to offset: Int64) {
        ranges = ranges.compactMap { ByteRange(first: $0.first, end: min($0.end, offset)) }
    }

    package func contains(_ range: ByteRange) -> Bool { ranges.contains { $0.contains(range) } }

    /// Whether every byte of a file of `total` bytes is there, and none beyond. An empty file is complete.
    package func isComplete(total: Int64) -> Bool {
        total == 0 ? isEmpty : ranges.count == 1 && ranges[0].first == 0 && ranges[0].end == total
    }

    /// The bytes below `total` that are not in the set, in order.
    package func missing(of total: Int64) -> [ByteRange] {
        var gaps: [ByteRange] = []
        var offset: Int64 = 0
        for range in ranges where range.first < total {
            if let gap = ByteRange(first: offset, end: range.first) { gaps.append(gap) }
            offset = range.end
        }
        if let gap = ByteRange(first: offset, end: total) { gaps.append(gap) }
        return gaps
    }

    /// How many bytes directly before `offset` are in the set, at most `limit`.
    package func bytes(before offset: Int64, limit: Int64) -> Int64 {
        guard let range = ranges.first(where: { $0.first < offset && $0.end >= offset }) else { return 0 }
        return min(offset - range.first, limit)
    }
}
