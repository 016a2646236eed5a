// What the user asked for as a whole: a command, or a word about one.

import MirrorKit

/// The command line, understood.
enum Invocation {
    case help
    case syncHelp
    case version
    case sync(Settings)

    /// - Parameter arguments: without the name of the program.
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        guard let first = arguments.first else { throw .noCommand }
        switch first {
        case "sync": return try parseSync(Array(arguments.dropFirst()))
        case "help": return try parseHelp(Array(arguments.dropFirst()))
        case "--help", "-h": return .help
        case "--version": return .version
        default: throw unknown(first)
        }
    }

    private static func parseSync(_ arguments: [String]) throws(UsageError) -> Invocation {
        switch try ArgumentParser(options: OptionTable.sync).parse(arguments) {
        case .help: return .syncHelp
        case .settings(var settings, let operands):
            guard !operands.isEmpty else { throw .noSource }
            guard !operands.contains(where: \.isEmpty) else { throw .emptySource }
            guard operands.count(where: { $0.hasSameBytes(as: "-") }) <= 1 else { throw .repeatedInput }
            guard !lacksSigningKey(settings.sync.transport) else { throw .signatureWithoutKey }
            settings.sync.sources = operands
            return .sync(settings)
        }
    }

    private static func lacksSigningKey(_ transport: TransportOptions) -> Bool {
        transport.awsSignature != nil && transport.user == nil && !transport.usesNetrc && transport.netrcFile == nil
    }

    private static func parseHelp(_ words: [String]) throws(UsageError) -> Invocation {
        guard let word = words.first else { return .help }
        guard words.count == 1 else { throw .tooManyArguments }
        guard word.hasSameBytes(as: "sync") else { throw unknown(word) }
        return .syncHelp
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
