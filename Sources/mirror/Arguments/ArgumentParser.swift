// Splits a command line into options and operands, as getopt_long does: options and operands in any order, `--` ends
// the options, a lone `-` is an operand. It knows no option by name but for help.

import MirrorKit

/// Reads the arguments of one subcommand by a table of options.
struct ArgumentParser {
    /// What the arguments come to.
    enum Result {
        case settings(Settings, operands: [String])
        /// The user asked for help; whatever else is written does not count.
        case help
    }

    let options: [OptionDescription]

    func parse(_ arguments: [String]) throws(UsageError) -> Result {
        var settings = Settings()
        var operands: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument.hasSameBytes(as: "--") {
                operands += rest
                break
            }
            let isHelp: Bool
            if argument.utf8.starts(with: "--".utf8) {
                isHelp = try parseLong(argument.utf8.dropFirst(2), &rest, &settings)
            } else if argument.utf8.count > 1, argument.utf8.first == UInt8(ascii: "-") {
                isHelp = try parseLetters(argument.utf8.dropFirst(), &rest, &settings)
            } else {
                operands.append(argument)
                continue
            }
            if isHelp { return .help }
        }
        return .settings(settings, operands: operands)
    }

    /// `name`, `name=value`, or `name` with the value in the next argument.
    private func parseLong(
        _ text: Substring.UTF8View, _ rest: inout ArraySlice<String>, _ settings: inout Settings
    ) throws(UsageError) -> Bool {
        let name = String(Substring(text.prefix { $0 != UInt8(ascii: "=") }))
        let value = name.utf8.count < text.count ? String(Substring(text.dropFirst(name.utf8.count + 1))) : nil
        guard let option = options.first(where: { $0.name.hasSameBytes(as: name) }) else {
            guard name.hasSameBytes(as: "help") else { throw unknown(name) }
            guard value == nil else { throw .unexpectedValue(option: name) }
            return true
        }
        guard option.takesValue else {
            guard value == nil else { throw .unexpectedValue(option: option.name) }
            try option.apply("", to: &settings)
            return false
        }
        guard let value = value ?? rest.popFirst() else { throw .missingValue("--" + option.name) }
        try option.apply(value, to: &settings)
        return false
    }

    /// Flags in a row; the first letter that takes a value ends the row.
    private func parseLetters(
        _ text: Substring.UTF8View, _ rest: inout ArraySlice<String>, _ settings: inout Settings
    ) throws(UsageError) -> Bool {
        var letters = Substring(text)
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                if letter == "h" { return true }
                throw .unknownOption("-\(letter)", suggestion: nil)
            }
            guard option.takesValue else {
                try option.apply("", to: &settings)
                continue
            }
            guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                throw .missingValue("-\(letter)")
            }
            try option.apply(value, to: &settings)
            return false
        }
        return false
    }

    private func unknown(_ name: String) -> UsageError {
        // What follows may be a value glued on by mistake, and that may be a secret.
        let shown = name.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
        let word = String(Substring(shown))
        let rest = shown.count < name.utf8.count ? "…" : ""
        let suggestion = Spelling.nearest(to: word, among: options.map(\.name) + ["help"])
        return .unknownOption("--" + word + rest, suggestion: suggestion.map { "--" + $0 })
    }
}
