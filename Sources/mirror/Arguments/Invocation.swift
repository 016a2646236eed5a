// What the user asked for as a whole: a command, or a word about one.

import MirrorKit

/// The command line, understood.
enum Invocation {
    case help
    case syncHelp
    case listHelp
    case version
    case sync(Settings)
    case list(Settings)

    /// - Parameter arguments: without the name of the program.
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        guard let first = arguments.first else { throw .noCommand }
        switch first {
        case "sync":
            let settings = try parse(Array(arguments.dropFirst()), by: OptionTable.sync)
            return settings.map(Invocation.sync) ?? .syncHelp
        case "list":
            let settings = try parse(Array(arguments.dropFirst()), by: OptionTable.list)
            return settings.map(Invocation.list) ?? .listHelp
        case "help": return try parseHelp(Array(arguments.dropFirst()))
        case "--help", "-h": return .help
        case "--version": return .version
        default: throw unknown(first)
        }
    }

    /// - Returns: nil where help was asked for.
    private static func parse(
        _ arguments: [String], by options: [OptionDescription]
    ) throws(UsageError) -> Settings? {
        guard case .settings(var settings, let operands) = try ArgumentParser(options: options).parse(arguments) else {
            return nil
        }
        guard !operands.isEmpty else { throw .noSource }
        guard !operands.contains(where: \.isEmpty) else { throw .emptySource }
        guard operands.count(where: { $0.hasSameBytes(as: "-") }) <= 1 else { throw .repeatedInput }
        guard !lacksSigningKey(settings.sync.transport) else { throw .signatureWithoutKey }
        settings.sync.sources = operands
        settings.sync.removal = settings.removes ? settings.removal : nil
        return settings
    }

    private static func lacksSigningKey(_ transport: TransportOptions) -> Bool {
        transport.awsSignature != nil && transport.user == nil && !transport.usesNetrc && transport.netrcFile == nil
    }

    private static func parseHelp(_ words: [String]) throws(UsageError) -> Invocation {
        guard let word = words.first else { return .help }
        guard words.count == 1 else { throw .tooManyArguments }
        switch word {
        case "sync": return .syncHelp
        case "list": return .listHelp
        default: throw unknown(word)
        }
    }

    private static func unknown(_ word: String) -> UsageError {
        if word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 {
            let name = word.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
            let shown = String(Substring(name))
            let suggestion = Spelling.nearest(to: shown, among: ["--help", "--version"])
            return .unknownOption(shown, suggestion: suggestion)
        }
        // A URL or a file where the command should be.
        let isWord = word.utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "-") }
        return .unknownCommand(isWord ? word : nil)
    }
}
