// The arguments as the system handed them over. Swift's own list of them repairs what is not UTF-8, and a repaired
// path is another path.

/// Reads the process's arguments.
enum RawArguments {
    /// Without the name of the program.
    static func read() throws(UsageError) -> [String] {
        var arguments: [String] = []
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let bytes = CommandLine.unsafeArgv[index] else { break }
            guard let argument = String(validatingCString: bytes) else { throw .notUTF8(index) }
            arguments.append(argument)
        }
        return arguments
    }
}
