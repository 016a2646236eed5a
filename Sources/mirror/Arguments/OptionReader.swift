// From the text of a value to what it stands for. Every number is hostile: nothing here can overflow.

import Glibc
import MirrorKit

/// Reads the values of one kind of option.
struct OptionReader<Value>: Sendable {
    let read: @Sendable (_ text: String) throws(ValueProblem) -> Value
}

extension OptionReader<String> {
    /// Any text, or any but none.
    static func text(mayBeEmpty: Bool = false) -> OptionReader {
        OptionReader { (text) throws(ValueProblem) in
            guard mayBeEmpty || !text.isEmpty else { throw .empty }
            return text
        }
    }

    /// `user:password`; a user without a colon has an empty password, since nobody is there to be asked for one.
    static let credentials = OptionReader { (text) throws(ValueProblem) in
        guard !text.isEmpty else { throw .empty }
        return text.utf8.contains(UInt8(ascii: ":")) ? text : text + ":"
    }

    /// A file whose ending names a form of report.
    static let reportFile = OptionReader { (text) throws(ValueProblem) in
        guard ReportForms.form(forFile: text) != nil else { throw .noReportForm }
        return text
    }
}

extension OptionReader<HeaderField> {
    /// `Name: value`.
    static let header = OptionReader { (text) throws(ValueProblem) in
        guard let field = HeaderField(parsing: text) else { throw .notHeader }
        guard !field.isReserved else { throw .reservedHeader(field.name) }
        return field
    }
}

extension OptionReader<GlobPattern> {
    /// A pattern as rsync has it.
    static let glob = OptionReader { (text) throws(ValueProblem) in
        do throws(GlobPattern.Problem) {
            return try GlobPattern(text)
        } catch {
            throw .notPattern(error.message)
        }
    }
}

extension OptionReader<Selection.Rule> {
    static let include = OptionReader { (text) throws(ValueProblem) in
        .include(try OptionReader<GlobPattern>.glob.read(text))
    }

    static let exclude = OptionReader { (text) throws(ValueProblem) in
        .exclude(try OptionReader<GlobPattern>.glob.read(text))
    }
}

extension OptionReader<Selection.Shard> {
    /// `0/4`.
    static let shard = OptionReader { (text) throws(ValueProblem) in
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "/") }),
            let index = Int(parts[0]), let count = Int(parts[1]), count <= 1_000_000,
            let shard = Selection.Shard(index, of: count)
        else { throw .notShard }
        return shard
    }
}

extension OptionReader<RemovalLimit> {
    /// `100`, or `25%`.
    static let removalLimit = OptionReader { (text) throws(ValueProblem) in
        let isShare = text.utf8.last == UInt8(ascii: "%")
        let digits = isShare ? text.dropLast() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits),
            !isShare || number <= 100
        else { throw .notLimit }
        return isShare ? .percent(number) : .files(number)
    }
}

extension OptionReader<Int> {
    /// Digits only: a sign or a blank is a slip of the keyboard.
    static func count(_ range: ClosedRange<Int>) -> OptionReader {
        OptionReader { (text) throws(ValueProblem) in
            guard text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text), range.contains(number) else {
                throw .notCount(range)
            }
            return number
        }
    }
}

extension OptionReader<Int64> {
    /// `4M`, `4m` and `4MiB` are the same; bare numbers are bytes.
    static func size(atLeast least: Int64) -> OptionReader {
        OptionReader { (text) throws(ValueProblem) in
            guard let size = ByteCount.parse(withoutLongUnit(text)), size >= least else {
                throw .notSize(atLeast: least)
            }
            return size
        }
    }

    private static func withoutLongUnit(_ text: String) -> Substring {
        let bytes = text.utf8
        let isLong = bytes.suffix(2).map(\.asciiLowercased) == Array("ib".utf8)
        // The unit is left: nobody means bytes by `4iB`.
        return isLong && bytes.dropLast(2).last?.isASCIILetter == true ? Substring(bytes.dropLast(2)) : Substring(text)
    }
}

extension OptionReader where Value == Int64 {
    /// Seconds since 1970 of a day, of a moment in UTC, or of so long ago.
    static var moment: OptionReader {
        OptionReader { (text) throws(ValueProblem) in
            if let date = HTTPDate.iso(text) ?? HTTPDate.iso(text + "T00:00:00Z") { return date.seconds }
            guard let ago = try? OptionReader<Duration>.time().read(text) else { throw .notMoment }
            return Int64(Glibc.time(nil)) - ago.components.seconds
        }
    }
}

extension OptionReader<Duration> {
    /// `90`, `1.5m`, `500ms`: a number of seconds, or of the unit that follows it.
    static func time(mayBeZero: Bool = false) -> OptionReader {
        OptionReader { (text) throws(ValueProblem) in
            guard let time = milliseconds(text), time > 0 || mayBeZero else { throw .notTime(mayBeZero: mayBeZero) }
            return .milliseconds(time)
        }
    }

    /// Longer than any run; what libcurl and the clock are given stays far from overflow.
    private static let longest: Int64 = 3650 * 86_400 * 1000

    private static func milliseconds(_ text: String) -> Int64? {
        let digits = text.utf8.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        guard let unit = unit(Substring(text.utf8.dropFirst(digits.count))) else { return nil }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
        guard parts.count <= 2, let whole = parts.first.flatMap({ Int64($0) }) else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        guard !overflow, product <= longest else { return nil }
        guard parts.count == 2 else { return product }
        // Three digits make milliseconds of seconds; of longer units, nobody writes more.
        guard (1...3).contains(parts[1].utf8.count), let fraction = Int64(parts[1]) else { return nil }
        return product + fraction * unit / [10, 100, 1000][parts[1].utf8.count - 1]
    }

    private static func unit(_ name: Substring) -> Int64? {
        switch name {
        case "ms", "MS": 1
        case "", "s", "S": 1000
        case "m", "M": 60_000
        case "h", "H": 3_600_000
        case "d", "D": 86_400_000
        default: nil
        }
    }
}

extension OptionReader where Value: RawRepresentable<String> & Sendable {
    /// One of a few words.
    static func word(of choices: [Value]) -> OptionReader {
        OptionReader { (text) throws(ValueProblem) in
            guard let choice = choices.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
                throw .notOneOf(choices.map(\.rawValue))
            }
            return choice
        }
    }
}
