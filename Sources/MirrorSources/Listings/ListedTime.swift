// Times and numbers as listings write them, from bytes: a listing has a million of them.

import MirrorCore

/// Reads times of listings.
enum ListedTime {
    /// Seconds since 1970 of `2024-02-29T23:59:58Z`, with a fraction (which is cut) or an offset in place of the `Z`
    /// (RFC 3339). Nil for anything else.
    static func iso(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count >= 20, bytes[4] == dash, bytes[7] == dash, bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == colon, bytes[16] == colon, let year = number(bytes[0..<4]),
            let month = number(bytes[5..<7]), let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), day >= 1, day <= days(in: month, of: year), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { $0.isASCIIDigit } }
        guard let offset = offset(rest) else { return nil }
        return dayNumber(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    }

    /// Seconds since 1970 of a date as HTTP writes it. Nil for anything else.
    static func http(_ bytes: [UInt8]) -> Int64? {
        HTTPDate(String(decoding: bytes, as: UTF8.self))?.seconds
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    /// Seconds east of Greenwich of `Z`, `+02:00` or `-0530`.
    private static func offset(_ rest: ArraySlice<UInt8>) -> Int64? {
        guard let sign = rest.first else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return rest.count == 1 ? 0 : nil }
        let digits = rest.dropFirst().filter { $0 != colon }
        guard sign == UInt8(ascii: "+") || sign == dash, digits.count == 4, let hours = number(digits[0..<2]),
            let minutes = number(digits[2..<4]), minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (sign == dash ? -1 : 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard digit.isASCIIDigit else { return nil }
            value = value * 10 + Int64(digit & 15)
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
        var value: Int64 = 0
        var hasDigit = false
        for byte in trimmed {
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
