// A size as an index page shows it. Servers round, each in its own way, so that a size with a unit is only an interval.

import MirrorCore

/// How many bytes a file has, as far as a page tells.
package enum ShownSize: Sendable, Equatable {
    case exact(Int64)
    /// The page rounds: the size is one of these. One unit of the last digit shown to both sides, as some servers round
    /// up and others cut.
    case within(ClosedRange<Int64>)

    /// Reads `207`, `5,255,225 bytes`, `1023 B`, `1.5K`, `10 KiB`, `9 kB`; units are powers of 1024, as all known servers
    /// mean them. Nil for anything else, such as the `-` of a folder.
    package static func parse(_ text: some Collection<UInt8>) -> ShownSize? {
        let text = text.trimmedOfBlanks
        let digits = text.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") }
        guard let number = Number(digits), let unit = unit(text.dropFirst(digits.count)) else { return nil }
        if unit == 0 { return number.decimals == 0 ? .exact(number.value) : nil }
        return number.decimals > 3 ? nil : interval(number, shift: unit)
    }

    /// The bytes, where they are told to the last one.
    package var exactBytes: Int64? {
        if case .exact(let bytes) = self { return bytes }
        return nil
    }

    /// Digits with at most one point.
    private struct Number {
        /// The digits as one number.
        var value: Int64 = 0
        /// How many of them stand behind the point.
        var decimals = 0

        init?(_ digits: some Collection<UInt8>) {
            guard let first = digits.first, first.isASCIIDigit else { return nil }
            var hasPoint = false, group = -1
            for byte in digits {
                if byte == UInt8(ascii: ",") {
                    guard !hasPoint, group == -1 || group == 3 else { return nil }
                    group = 0
                } else if byte == UInt8(ascii: ".") {
                    guard !hasPoint, group == -1 || group == 3 else { return nil }
                    hasPoint = true
                } else {
                    let (product, isTooBig) = value.multipliedReportingOverflow(by: 10)
                    let (sum, isStillTooBig) = product.addingReportingOverflow(Int64(byte & 15))
                    if isTooBig || isStillTooBig { return nil }
                    value = sum
                    if hasPoint { decimals += 1 } else if group >= 0 { group += 1 }
                }
            }
            guard hasPoint ? decimals > 0 : group == -1 || group == 3 else { return nil }
        }
    }

    /// The power of two of a unit, 0 for bytes.
    private static func unit(_ text: some Collection<UInt8>) -> Int64? {
        let word = String(decoding: text.trimmedOfBlanks.map(\.asciiLowercased), as: UTF8.self)
        switch word {
        case "", "b", "byte", "bytes": return 0
        case "k", "kb", "kib": return 10
        case "m", "mb", "mib": return 20
        case "g", "gb", "gib": return 30
        case "t", "tb", "tib": return 40
        default: return nil
        }
    }

    private static func interval(_ number: Number, shift: Int64) -> ShownSize? {
        let scale = (0..<number.decimals).reduce(Int64(1)) { scale, _ in scale * 10 }
        let (low, lowIsTooBig) = max(number.value - 1, 0).multipliedReportingOverflow(by: 1 << shift)
        let (above, aboveIsTooBig) = (number.value &+ 1).multipliedReportingOverflow(by: 1 << shift)
        guard !lowIsTooBig, !aboveIsTooBig, number.value < .max else { return nil }
        let first = low / scale + (low % scale == 0 ? 0 : 1)
        // Tomcat takes 103 bytes for a tenth of a KiB.
        let last = (above - 1) / scale + (shift == 10 && number.decimals > 0 ? 5 : 0)
        return first <= last ? .within(first...last) : nil
    }
}

extension Collection<UInt8> {
    /// Without the blanks around it; a no-break space is one.
    var trimmedOfBlanks: [UInt8] {
        var bytes = Array(self)[...]
        while true {
            if let last = bytes.last, last <= 0x20 {
                bytes = bytes.dropLast()
            } else if let first = bytes.first, first <= 0x20 {
                bytes = bytes.dropFirst()
            } else if bytes.starts(with: [0xC2, 0xA0]) {
                bytes = bytes.dropFirst(2)
            } else if bytes.suffix(2).elementsEqual([0xC2, 0xA0]) {
                bytes = bytes.dropLast(2)
            } else {
                return Array(bytes)
            }
        }
    }
}
