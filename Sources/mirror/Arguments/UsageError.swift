// What is wrong with a command line, and how the user is told. No sentence holds the value of a secret.

import MirrorKit

/// Bad usage: nothing was begun.
enum UsageError: Error, Equatable {
    case noCommand
    /// nil where the word may hold a secret, as URLs do.
    case unknownCommand(String?)
    /// With its dashes; the suggestion too.
    case unknownOption(String, suggestion: String?)
    /// With its dashes.
    case missingValue(String)
    case unexpectedValue(option: String)
    /// `value` is nil where it is never shown.
    case badValue(option: String, value: String?, ValueProblem)
    case noSource
    case emptySource
    /// Standard input is named more than once.
    case repeatedInput
    case tooManyArguments
    /// Requests are to be signed, and nothing says with which key.
    case signatureWithoutKey
    /// The argument at this place, from 1.
    case notUTF8(Int)

    /// One sentence without final stop.
    var message: String {
        switch self {
        case .noCommand: "no command is given"
        case .unknownCommand(nil): "the first word must be a command; did you mean «mirror sync SOURCE»?"
        case .unknownCommand(let name?): "unknown command «\(Printable.text(name))»; there are «sync» and «list»"
        case .unknownOption(let name, nil): "unknown option «\(Printable.text(name))»"
        case .unknownOption(let name, let suggestion?):
            "unknown option «\(Printable.text(name))»; did you mean «\(suggestion)»?"
        case .missingValue(let option): "\(option) needs a value"
        case .unexpectedValue(let option): "--\(option) takes no value"
        case .badValue(let option, let value, let problem): "--\(option): " + Self.text(problem, value)
        case .noSource: "no source is given"
        case .emptySource: "a source is empty"
        case .repeatedInput: "standard input can be read only once"
        case .signatureWithoutKey: "--aws-sigv4 needs --user ACCESS_KEY:SECRET_KEY, or --netrc"
        case .tooManyArguments: "too many arguments"
        case .notUTF8(let place): "argument \(place) is not UTF-8"
        }
    }

    private static func text(_ problem: ValueProblem, _ value: String?) -> String {
        let value = value.map { "«\(Printable.text($0))»" } ?? "the value"
        return switch problem {
        case .empty: "the value is empty"
        case .notCount(let range): "\(value) is not a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .notSize(let least):
            "\(value) is not a size such as 500, 64k, 4M or 2G" + (least > 0 ? ", \(least) or more" : "")
        case .notTime(let mayBeZero):
            "\(value) is not a time such as 500ms, 20s, 10m, 2h or 1d" + (mayBeZero ? "" : " above zero")
        case .notOneOf(let words): "\(value) is not one of: \(words.joined(separator: ", "))"
        case .notHeader: "the value is not a header field such as «Name: value»"
        case .notPattern(let why): "\(value): \(why)"
        case .notShard: "\(value) is not a part such as 0/4 (the first of four)"
        case .notLimit: "\(value) is not a number of files, nor a share from 0% to 100%"
        case .notMoment: "\(value) is not a day such as 2026-01-31, nor a time span such as 7d"
        case .reservedHeader(let name): "the header field \(name) is set by mirror itself"
        case .noReportForm: "\(value) ends in none of: .json, .txt"
        }
    }
}
