// The sentences about a run and its errors. Every text from outside is made printable here.

import MirrorKit

/// Lines for standard error, each with its line end.
enum Wording {
    /// As many faults of a source as a person reads.
    static let mostFaults = 100

    static func error(_ message: String) -> String { "mirror: \(Printable.text(message))\n" }

    static func usage(_ error: UsageError) -> String {
        if error == .noCommand { return self.error(error.message) + HelpText.usage }
        return self.error(error.message) + "Try «mirror sync --help».\n"
    }

    static func warning(_ warning: SourceFault) -> String { error("warning: \(warning)") }

    static func syncError(_ error: SyncError, directory: String) -> String {
        switch error {
        case .badUsage(let message): self.error(message)
        case .badSource(let faults): badSource(faults)
        case .locked: self.error("another run is at work in «\(directory)»; --wait T waits for it")
        case .interrupted: self.error("ended early, before anything was fetched: run again to begin")
        case .unusableDirectory(let failure): self.error("«\(directory)» cannot be used: \(failure.message)")
        }
    }

    private static func badSource(_ faults: [SourceFault]) -> String {
        var text = faults.prefix(mostFaults).map { error("\($0)") }.joined()
        if faults.count > mostFaults { text += error("… and \(faults.count - mostFaults) more") }
        return text
    }

    /// A file that did not arrive, where the report is not shown.
    static func failure(of file: FileReport) -> String? {
        guard let failure = file.failure else { return nil }
        guard !file.path.isEmpty else { return error("\(failure.code.rawValue): \(file.url): \(failure.message)") }
        return error("\(failure.code.rawValue): \(file.path): \(failure.message) (\(file.url))")
    }

    /// A failure of the run itself.
    static func failure(of run: Failure) -> String { error("\(run.code.rawValue): \(run.message)") }

    /// A file that has ended, for those who want to see each.
    static func ended(_ file: FileReport) -> String {
        let name = file.path.isEmpty ? file.url : file.path
        var line = "\(file.action.rawValue) \(file.status.rawValue): \(name)"
        if let failure = file.failure {
            line += ": \(failure.code.rawValue): \(failure.message)"
        } else if file.bytesFetched > 0 {
            line += " (\(Amount.bytes(file.bytesFetched)) in \(Amount.seconds(file.seconds)))"
        }
        return Printable.text(line) + "\n"
    }

    static let ending = error("ending in good order; once more to end at once")
}
