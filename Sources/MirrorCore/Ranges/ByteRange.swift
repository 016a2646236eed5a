// A run of bytes of a file.

/// First and last byte, both included, as in HTTP (RFC 9110 section 14.1.2). Never empty, never negative.
public struct ByteRange: Sendable, Hashable {
    /// Offset of the first byte.
    public let first: Int64
    /// Offset of the last byte.
    public let last: Int64

    /// Returns nil unless 0 ≤ `first` ≤ `last` < 2^63 − 1; the last value is left out so that `end` always exists.
    public init?(first: Int64, last: Int64) {
        guard first >= 0, first <= last, last < Int64.max else { return nil }
        self.first = first
        self.last = last
    }

    /// The bytes from `first` up to, but not including, `end`; nil when there are none.
    package init?(first: Int64, end: Int64) {
        guard end > 0 else { return nil }
        self.init(first: first, last: end - 1)
    }

    /// The offset behind the last byte.
    public var end: Int64 { last + 1 }
    /// Bytes.
    public var count: Int64 { last - first + 1 }

    package func contains(_ other: ByteRange) -> Bool { first <= other.first && other.last <= last }
}
