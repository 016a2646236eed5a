// What a server says which bytes it sends.

/// The value of Content-Range in the unit `bytes` (RFC 9110 section 14.4).
package struct ContentRange: Sendable, Equatable {
    /// nil for `bytes */T`, as a 416 carries it.
    package let range: ByteRange?
    /// The size of the whole file in bytes; nil for `*`.
    package let total: Int64?

    package init(range: ByteRange?, total: Int64?) {
        self.range = range
        self.total = total
    }

    /// Returns nil for anything that is not the grammar (but more blanks do no harm), contradicts itself, or does not
    /// fit in 63 bits.
    package init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " "))
        guard words.count == 2, String(Substring(words[0])).equalsIgnoringASCIICase("bytes") else { return nil }
        let halves = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = Int64(digits: halves[1])
        guard total != nil || halves[1].elementsEqual("*".utf8) else { return nil }
        if halves[0].elementsEqual("*".utf8) {
            guard total != nil else { return nil }
            self.init(range: nil, total: total)
            return
        }
        let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(digits: ends[0]), let last = Int64(digits: ends[1]),
            let range = ByteRange(first: first, last: last), total.map({ last < $0 }) ?? true
        else { return nil }
        self.init(range: range, total: total)
    }
}

extension Int64 {
    /// Reads a run of ASCII digits and nothing else. nil when it is empty, has a sign, or does not fit.
    @inlinable package init?(digits: some Collection<UInt8>) {
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard byte.isASCIIDigit else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(byte &- 0x30))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        self = value
    }
}
