// The exit code tells a script how the run ended. The worst result of all entries decides.

/// The exit codes of the contract.
public enum ExitCode: Int32, Sendable {
    case inLine = 0
    case someFailed = 1
    case badUsage = 2
    case endedEarly = 3
    case locked = 4
    case unusableDirectory = 5

    /// - Parameter failure: a failure of the run itself.
    package static func of(_ files: [FileReport], isInterrupted: Bool, failure: Failure?) -> ExitCode {
        if let failure, failure.endsRun || failure.code == .permission || failure.code == .io {
            return .unusableDirectory
        }
        if isInterrupted || files.contains(where: { $0.status == .interrupted }) { return .endedEarly }
        // What is wrong with a source is wrong before any entry of it is touched, or a part of it is missing.
        if let failure { return files.isEmpty && failure.code != .conflict ? .badUsage : .someFailed }
        return files.contains { $0.status == .failed } ? .someFailed : .inLine
    }
}
