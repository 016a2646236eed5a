// The options of a manifest entry: their names, and the reading of their values.

import MirrorCore

/// An option that mirror knows.
enum ManifestOption: String, CaseIterable {
    case out, dir, checksum, size, header, referer
    case userAgent = "user-agent"
    case split, etag
    case lastModified = "last-modified"

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    init?(name: String) {
        guard let option = Self.byName[name] else { return nil }
        self = option
    }

    /// Whether an entry may have it more than once.
    var isRepeatable: Bool { self == .header }
}

/// What is wrong with an option's value: one sentence.
struct OptionProblem: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// Reads the values of options. Each either gives a value or says what is wrong with it.
enum OptionValue {
    static func path(_ text: String) throws(OptionProblem) -> LocalPath {
        do {
            return try LocalPath(text)
        } catch {
            throw OptionProblem(Failure.path(error).description)
        }
    }

    /// A folder; nil for DIR itself.
    static func folder(_ text: String) throws(OptionProblem) -> LocalPath? {
        var text = text[...]
        while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text = text.dropLast() }
        return text.utf8.elementsEqual(".".utf8) ? nil : try path(String(text))
    }

    static func checksum(_ text: String) throws(OptionProblem) -> Checksum {
        do {
            return try Checksum(parsing: text)
        } catch {
            throw OptionProblem(sentence(error))
        }
    }

    private static func sentence(_ problem: Checksum.Problem) -> String {
        switch problem {
        case .noEqualsSign: "a checksum is written TYPE=HEX, such as sha-256=9f86…"
        case .unknownType:
            "the checksum type is not known; "
                + ChecksumAlgorithm.allCases.map(\.rawValue).joined(separator: ", ") + " are"
        case .wrongLength(let algorithm, let digits):
            "a \(algorithm.rawValue) checksum has \(algorithm.byteCount * 2) hexadecimal digits, not \(digits)"
        case .notHexadecimal: "the checksum has a character that is no hexadecimal digit"
        }
    }

    static func size(_ text: String) throws(OptionProblem) -> Int64 {
        guard let size = ByteCount.parse(text) else {
            throw OptionProblem("a size is a number of bytes, with k, M, G or T for powers of 1024")
        }
        return size
    }

    static func field(_ text: String) throws(OptionProblem) -> HeaderField {
        guard let field = HeaderField(parsing: text) else { throw OptionProblem("a header is written Name: value") }
        guard !field.isReserved else {
            throw OptionProblem("the header field \(field.name) is set by mirror itself")
        }
        return field
    }

    /// The value of a header field that has an option of its own.
    static func fieldValue(_ text: String) throws(OptionProblem) -> String {
        guard HeaderField.isValue(text) else { throw OptionProblem("the value has a control character") }
        return text
    }

    static func split(_ text: String) throws(OptionProblem) -> Int {
        guard text.utf8.allSatisfy(\.isASCIIDigit), let split = Int(text), (1...64).contains(split) else {
            throw OptionProblem("split is a number from 1 to 64")
        }
        return split
    }

    /// An ETag with its quotes or without them.
    static func entityTag(_ text: String) throws(OptionProblem) -> EntityTag {
        let isQuoted = text.utf8.last == UInt8(ascii: "\"")
        guard let tag = EntityTag(isQuoted ? text : "\"\(text)\"") else {
            throw OptionProblem("an ETag has neither blanks nor control characters")
        }
        return tag
    }

    /// An HTTP date, or a date as reports show it. The text is that of an HTTP date.
    static func date(_ text: String) throws(OptionProblem) -> String {
        guard let date = HTTPDate(text) ?? HTTPDate.iso(text) else {
            throw OptionProblem("the date is not like «Sun, 06 Nov 1994 08:49:37 GMT» nor like «1994-11-06T08:49:37Z»")
        }
        return date.httpText
    }
}
