// Dates of HTTP: three forms to read, one to write. No time zone but GMT, no locale, no clock.

/// A moment in whole seconds since 1970-01-01T00:00:00Z, between the years 1 and 9999.
public struct HTTPDate: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public let seconds: Int64

    /// 0001-01-01T00:00:00Z.
    private static let firstSecond: Int64 = -62_135_596_800
    /// 9999-12-31T23:59:59Z.
    private static let lastSecond: Int64 = 253_402_300_799

    package init(seconds: Int64) { self.seconds = seconds }

    /// Reads IMF-fixdate, the RFC 850 form and asctime (RFC 9110 section 5.6.7). Years of two digits are read as
    /// 1970…2069. Returns nil for anything else.
    public init?(_ text: String) {
        let fixed: HTTPDate?? = text.utf8.withContiguousStorageIfAvailable { HTTPDate(fixdate: $0) }
        if case .some(.some(let date)) = fixed { self = date } else { self.init(words: text) }
    }

    /// IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`, which nearly all dates are; nil for any other form.
    private init?(fixdate bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), bytes[4] == 0x20, bytes[7] == 0x20, bytes[11] == 0x20,
            bytes[16] == 0x20, bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"), bytes[25] == 0x20,
            bytes[26] == UInt8(ascii: "G"), bytes[27] == UInt8(ascii: "M"), bytes[28] == UInt8(ascii: "T"),
            let month = Self.monthNames.firstIndex(where: {
                $0.0 == bytes[8] && $0.1 == bytes[9] && $0.2 == bytes[10]
            }).map({ Int64($0) + 1 })
        else { return nil }
        func number(_ start: Int, _ count: Int) -> Int64 {
            var value: Int64 = 0
            for index in start..<start + count {
                guard bytes[index].isASCIIDigit else { return -1 }
                value = value * 10 + Int64(bytes[index] & 15)
            }
            return value
        }
        let day = number(5, 2), year = number(12, 4)
        let hour = number(17, 2), minute = number(20, 2), second = number(23, 2)
        guard year >= 1, day >= 1, day <= Self.days(in: month, of: year), (0..<24).contains(hour),
            (0..<60).contains(minute), (0...60).contains(second)
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Any of the three forms, word by word.
    private init?(words text: String) {
        let words = text.utf8.split(whereSeparator: { " ,-:".utf8.contains($0) })
        // IMF-fixdate and RFC 850: Sun 06 Nov 1994 08 49 37 GMT; asctime: Sun Nov 6 08 49 37 1994.
        guard words.count == 7 || words.count == 8 else { return nil }
        let isASCTime = words.count == 7
        if !isASCTime, !words[7].elementsEqual("GMT".utf8), !words[7].elementsEqual("UTC".utf8) { return nil }
        guard
            let month = Self.month(words[isASCTime ? 1 : 2]),
            let day = Self.number(words[isASCTime ? 2 : 1]),
            let year = Self.year(words[isASCTime ? 6 : 3]),
            let hour = Self.number(words[isASCTime ? 3 : 4]),
            let minute = Self.number(words[isASCTime ? 4 : 5]),
            let second = Self.number(words[isASCTime ? 5 : 6]),
            day >= 1, day <= Self.days(in: month, of: year), hour < 24, minute < 60, second <= 60
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private init(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        // A leap second may lie behind the last one.
        seconds = min(days * 86_400 + hour * 3_600 + minute * 60 + second, Self.lastSecond)
    }

    /// The earlier one is less.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let monthNames = months.map { name in
        let bytes = Array(name.utf8)
        return (bytes[0], bytes[1], bytes[2])
    }
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func month(_ word: Substring.UTF8View) -> Int64? {
        months.firstIndex { $0.utf8.elementsEqual(word) }.map { Int64($0) + 1 }
    }

    private static func number(_ word: Substring.UTF8View) -> Int64? {
        guard word.count <= 4, !word.isEmpty, word.allSatisfy(\.isASCIIDigit) else { return nil }
        return word.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func year(_ word: Substring.UTF8View) -> Int64? {
        guard let year = number(word) else { return nil }
        switch word.count {
        case 4 where year >= 1: return year
        case 2: return year < 70 ? 2000 + year : 1900 + year
        default: return nil
        }
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The civil calendar counted in eras of 400 years of 146,097 days that start on the first of March, which puts
    /// the leap day last.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private struct Civil {
        let year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64, weekday: Int
    }

    private var civil: Civil {
        // Clamped to the years 1…9999, which is all that the text forms can show.
        let clamped = min(max(seconds, Self.firstSecond), Self.lastSecond)
        let days = (clamped - (clamped % 86_400 + 86_400) % 86_400) / 86_400
        let secondOfDay = clamped - days * 86_400
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return Civil(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, hour: secondOfDay / 3_600,
            minute: secondOfDay / 60 % 60, second: secondOfDay % 60, weekday: Int(((days + 4) % 7 + 7) % 7))
    }

    /// IMF-fixdate, as HTTP sends it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var httpText: String {
        let civil = civil
        return "\(Self.weekdays[civil.weekday]), \(pad(civil.day)) \(Self.months[Int(civil.month) - 1]) "
            + "\(pad(civil.year, 4)) \(pad(civil.hour)):\(pad(civil.minute)):\(pad(civil.second)) GMT"
    }

    /// RFC 3339 in UTC, as reports show it: `1994-11-06T08:49:37Z`.
    public var isoText: String {
        let civil = civil
        // Written for each file of a report: digits go straight to their places.
        return String(unsafeUninitializedCapacity: 20) { text in
            func put(_ number: Int64, _ width: Int, at start: Int, then end: UInt8) {
                var rest = number
                for index in (start..<start + width).reversed() {
                    text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                text[start + width] = end
            }
            put(civil.year, 4, at: 0, then: UInt8(ascii: "-"))
            put(civil.month, 2, at: 5, then: UInt8(ascii: "-"))
            put(civil.day, 2, at: 8, then: UInt8(ascii: "T"))
            put(civil.hour, 2, at: 11, then: UInt8(ascii: ":"))
            put(civil.minute, 2, at: 14, then: UInt8(ascii: ":"))
            put(civil.second, 2, at: 17, then: UInt8(ascii: "Z"))
            return 20
        }
    }

    private func pad(_ number: Int64, _ width: Int = 2) -> String {
        let text = String(number)
        return text.utf8.count >= width ? text : String(repeating: "0", count: width - text.utf8.count) + text
    }
}
