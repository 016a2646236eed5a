// One `mirror list`: the manifest goes to standard output, what is said about it to standard error.

import Glibc
import MirrorKit

/// Runs a list.
struct ListCommand {
    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// - Returns: the exit code.
    func run() -> Int32 {
        let mailbox = Mailbox()
        let list = SourceList(settings.sync)
        let output = ListOutput()
        Task.detached {
            let result: Result<SourceList.Outcome, SyncError>
            do throws(SyncError) {
                result = .success(try await list.run { output.append($0) })
            } catch {
                result = .failure(error)
            }
            mailbox.post(.listed(result))
        }
        var standardError = Output(descriptor: STDERR_FILENO)
        defer { standardError.flush() }
        let result = result(from: mailbox)
        if let problem = output.finish() {
            standardError.append(Wording.error("standard output: \(problem)"))
            return ExitCode.someFailed.rawValue
        }
        switch result {
        case .failure(let error):
            standardError.append(Wording.syncError(error, directory: ""))
            return error.exitCode.rawValue
        case .success(let outcome):
            if settings.wording != .quiet {
                for warning in outcome.warnings { standardError.append(Wording.warning(warning)) }
            }
            return (outcome.isPartial ? ExitCode.someFailed : .inLine).rawValue
        }
    }

    private func result(from mailbox: Mailbox) -> Result<SourceList.Outcome, SyncError> {
        while true {
            for letter in mailbox.take(until: nil) {
                if case .listed(let result) = letter { return result }
            }
        }
    }
}

/// Standard output, written from the thread that reads the sources.
// @unchecked: the reading thread writes, and only when it has ended does another one finish.
private final class ListOutput: @unchecked Sendable {
    private var output = Output(descriptor: STDOUT_FILENO)

    func append(_ text: String) { output.append(text) }

    /// - Returns: why not all of it got out, if so.
    func finish() -> String? {
        output.flush()
        guard output.hasFailed else { return nil }
        return output.errorCode.map { String(cString: strerror($0)) } ?? "not written"
    }
}
