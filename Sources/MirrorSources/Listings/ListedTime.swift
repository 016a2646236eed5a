// Times and numbers as listings write them, from bytes: a listing has a million of them.

import MirrorCore

/// Reads times of listings.
enum ListedTime {
    /// Seconds since 1970 of `2024-02-29T23:59:58Z`, with a fraction (which is cut) or an offset in place of the `Z`
    /// (RFC 3339). Nil for anything else.
    static func iso(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.count >= 20, bytes[4] == dash, bytes[7] == dash, bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == colon, bytes[16] == colon
        else { return nil }
        let year = number(bytes, 0, 4), month = number(bytes, 5, 2), day = number(bytes, 8, 2)
        let hour = number(bytes, 11, 2), minute = number(bytes, 14, 2), second = number(bytes, 17, 2)
        guard year >= 0, (1...12).contains(month), day >= 1, day <= days(in: month, of: year),
            (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
        else { return nil }
        var end = 19
        if bytes[end] == UInt8(ascii: ".") {
            end += 1
            while end < bytes.count, bytes[end].isASCIIDigit { end += 1 }
        }
        guard let offset = offset(bytes, end) else { return nil }
        return dayNumber(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    }

    static func iso(_ bytes: [UInt8]) -> Int64? { bytes.withUnsafeBufferPointer { iso($0) } }

    /// Seconds since 1970 of a date as HTTP writes it. Nil for anything else.
    static func http(_ bytes: [UInt8]) -> Int64? {
        HTTPDate(String(decoding: bytes, as: UTF8.self))?.seconds
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    /// Seconds east of Greenwich of `Z`, `+02:00` or `-0530`, to the end of the text.
    private static func offset(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int64? {
        guard start < bytes.count else { return nil }
        let sign = bytes[start], length = bytes.count - start
        if sign | 0x20 == UInt8(ascii: "z") { return length == 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == dash, length == 5 || length == 6 && bytes[start + 3] == colon
        else { return nil }
        let hours = number(bytes, start + 1, 2), minutes = number(bytes, bytes.count - 2, 2)
        guard (0..<24).contains(hours), (0..<60).contains(minutes) else { return nil }
        return (hours * 3_600 + minutes * 60) * (sign == dash ? -1 : 1)
    }

    /// A number of so many digits; -1 where it is none.
    @inline(__always)
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int64 {
        var value: Int64 = 0
        for index in start..<start + count {
            guard bytes[index].isASCIIDigit else { return -1 }
            value = value * 10 + Int64(bytes[index] & 15)
        }
        return value
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970, counted in years that start in March, which puts the leap day last.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year + 399 : year + 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
    }
}

extension BidirectionalCollection<UInt8> {
    /// A number of bytes: digits alone, with white space around them.
    var listedSize: Int64? {
        // Nearly all numbers have no white space around them.
        if let first, first <= 0x20 { return trimmed.listedSize }
        if let last, last <= 0x20 { return trimmed.listedSize }
        var value: Int64 = 0
        var hasDigit = false
        for byte in self {
            guard byte.isASCIIDigit, value < Int64.max / 10 else { return nil }
            value = value * 10 + Int64(byte & 15)
            hasDigit = true
        }
        return hasDigit ? value : nil
    }

    /// The bytes without white space at both ends.
    var trimmed: SubSequence {
        let rest = drop { $0 <= 0x20 }
        guard let last = rest.lastIndex(where: { $0 > 0x20 }) else { return rest }
        return rest[...last]
    }
}
