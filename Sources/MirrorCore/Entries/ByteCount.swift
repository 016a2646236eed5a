// Sizes as people write them.

/// Reads a number of bytes with an optional unit.
package enum ByteCount {
    /// No server has a file of more bytes: XFS and ZFS could name one of 8 EiB, and no disk that there is could hold 1.
    /// Who says so is wrong about that file, and says nothing of the room for others.
    package static let largestFile: Int64 = 1 << 60

    /// Reads digits and one of `k`, `M`, `G`, `T` in either case (powers of 1024). Returns nil for anything else and
    /// for what does not fit.
    package static func parse(_ text: some StringProtocol) -> Int64? {
        var digits = Array(text.utf8)[...]
        guard let last = digits.last else { return nil }
        var shift: Int64 = 0
        if !last.isASCIIDigit {
            guard let index = Array("kmgt".utf8).firstIndex(of: last.asciiLowercased) else { return nil }
            shift = Int64(index + 1) * 10
            digits = digits.dropLast()
        }
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
        return overflow ? nil : bytes
    }
}
