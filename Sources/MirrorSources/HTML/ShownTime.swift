// A time as an index page shows it. Most cut it to the minute and show the server's local time without a word of the
// zone; such a time cannot be compared with anything.

import MirrorCore

/// When a file was changed, as far as a page tells.
package struct ShownTime: Sendable, Equatable {
    /// What is shown; the rest was cut off, never rounded.
    package enum Precision: Sendable, Equatable {
        case day, minute, second
    }

    /// Seconds since 1970 of what is shown, read as UTC.
    package let seconds: Int64
    package let precision: Precision
    /// Whether the text itself says that it is UTC.
    package let isUTC: Bool

    package init(seconds: Int64, precision: Precision, isUTC: Bool = false) {
        self.seconds = seconds
        self.precision = precision
        self.isUTC = isUTC
    }

    /// Seconds since 1970, where the text tells them without doubt.
    package var exactSeconds: Int64? { precision == .second && isUTC ? seconds : nil }

    /// Reads the forms of the known servers. Nil for anything else: for a date without year, and for one of numbers and
    /// slashes that may have the day or the month first.
    package static func parse(_ text: some Collection<UInt8>) -> ShownTime? {
        guard let words = Words(text) else { return nil }
        let numbers = words.numbers
        switch words.shape {
        // nginx and older Apache: 29-Feb-2024 23:59; fancyindex and lighttpd: 2024-Feb-29 23:59:58
        case "9-m-9 9:9", "9-m-9 9:9:9":
            let isYearFirst = numbers[0].digits == 4
            return make(words, day: isYearFirst ? 1 : 0, year: isYearFirst ? 0 : 1, time: 2)
        // mini_httpd: 29Feb2024 23:59
        case "9m9 9:9": return make(words, day: 0, year: 1, time: 2)
        // Apache, darkhttpd: 2024-02-29 23:59; WEBrick: 2024/02/29 23:59
        case "9-9-9 9:9", "9-9-9 9:9:9", "9/9/9 9:9", "9/9/9 9:9:9":
            return make(words, day: 2, month: 1, year: 0, time: 3)
        // Caddy: 2024-02-29T23:59:58Z
        case "9-9-9t9:9:9z": return make(words, day: 2, month: 1, year: 0, time: 3, isUTC: true)
        // rclone: 2024-02-29 23:59:58 +0000 UTC
        case "9-9-9 9:9:9 +9 u":
            return numbers[6].value == 0 ? make(words, day: 2, month: 1, year: 0, time: 3, isUTC: true) : nil
        // Tomcat, wsgidav: Thu, 29 Feb 2024 23:59:58 GMT; weborf leaves the zone out and means local time
        case "d, 9 m 9 9:9:9 u": return make(words, day: 0, year: 1, time: 2, isUTC: true)
        case "d, 9 m 9 9:9:9": return make(words, day: 0, year: 1, time: 2)
        // webfs: Feb 29  2024
        case "m 9 9": return make(words, day: 0, year: 1, time: nil)
        // Jetty: Oct 31, 2021, 12:30:00 AM
        case "m 9, 9, 9:9:9 p": return make(words, day: 0, year: 1, time: 2)
        default: return nil
        }
    }

    /// - Parameters: the positions among the numbers of the text; without `month` it is named.
    private static func make(
        _ words: Words, day: Int, month: Int? = nil, year: Int, time: Int?, isUTC: Bool = false
    ) -> ShownTime? {
        let numbers = words.numbers
        let month = month.map { numbers[$0].value } ?? words.month
        guard (1...12).contains(month), numbers[year].digits == 4, numbers[day].digits <= 2 else { return nil }
        var clock = [0, 0, 0]
        let parts = time.map { numbers.dropFirst($0).prefix(words.shape.contains("9:9:9") ? 3 : 2) } ?? []
        for (index, part) in parts.enumerated() {
            guard part.digits <= 2 else { return nil }
            clock[index] = part.value
        }
        if let isAfternoon = words.isAfternoon {
            guard (1...12).contains(clock[0]) else { return nil }
            clock[0] = clock[0] % 12 + (isAfternoon ? 12 : 0)
        }
        let date = [numbers[year].value, month, numbers[day].value]
        guard let seconds = seconds(date, clock) else { return nil }
        let precision: Precision = parts.isEmpty ? .day : parts.count == 2 ? .minute : .second
        return ShownTime(seconds: seconds, precision: precision, isUTC: isUTC)
    }

    private static func seconds(_ date: [Int], _ clock: [Int]) -> Int64? {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        guard date[0] >= 1000 else { return nil }
        let day = "\(date[0])-\(two(date[1]))-\(two(date[2]))"
        return HTTPDate.iso("\(day)T\(two(clock[0])):\(two(clock[1])):\(two(clock[2]))Z")?.seconds
    }

    /// The numbers and words of a text, and how they stand together.
    private struct Words {
        struct Number {
            var value: Int
            var digits: Int
        }

        var numbers: [Number] = []
        /// From 1; 0 where none is named.
        var month = 0
        var isAfternoon: Bool?
        /// `9` for a number, `m` for a month, `d` for a day of the week, `u` for UTC and GMT, `p` for AM and PM, `t` and
        /// `z` for themselves, one blank for any number of them.
        var shape = ""

        private static let longest = 48
        private static let months = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        private static let weekdays: Set<String> = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

        init?(_ text: some Collection<UInt8>) {
            // Java puts a narrow no-break space before AM and PM.
            var rest = text.trimmedOfBlanks.prefix(Self.longest + 1)
            guard rest.count <= Self.longest else { return nil }
            while let first = rest.first {
                let run: ArraySlice<UInt8>
                if first.isASCIIDigit {
                    run = rest.prefix(while: \.isASCIIDigit)
                    guard run.count <= 4 else { return nil }
                    numbers.append(Number(value: run.reduce(0) { $0 * 10 + Int($1 & 15) }, digits: run.count))
                    shape += "9"
                } else if first.isASCIILetter {
                    run = rest.prefix(while: \.isASCIILetter)
                    guard take(String(decoding: run, as: UTF8.self).asciiLowercased) else { return nil }
                } else if let blanks = Self.blanks(rest) {
                    run = rest.prefix(blanks)
                    if shape.last != " " { shape += " " }
                } else {
                    run = rest.prefix(1)
                    guard "-/:,+".utf8.contains(first) else { return nil }
                    shape.unicodeScalars.append(Unicode.Scalar(first))
                }
                rest = rest.dropFirst(run.count)
            }
        }

        private static func blanks(_ rest: ArraySlice<UInt8>) -> Int? {
            if let first = rest.first, first <= 0x20 { return 1 }
            if rest.starts(with: [0xC2, 0xA0]) { return 2 }
            return rest.starts(with: [0xE2, 0x80, 0xAF]) ? 3 : nil
        }

        private mutating func take(_ word: String) -> Bool {
            switch word {
            case "gmt", "utc": shape += "u"
            case "t", "z": shape += word
            case "am", "pm":
                shape += "p"
                isAfternoon = word == "pm"
            case _ where Self.weekdays.contains(word): shape += "d"
            default:
                guard month == 0, let index = Self.months.firstIndex(of: word) else { return false }
                month = index + 1
                shape += "m"
            }
            return true
        }
    }
}
