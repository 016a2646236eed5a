// What a process left behind.

import MirrorTestSupport

/// The end of a run of mirror.
struct CommandResult: Sendable {
    let ending: ChildProcess.Ending
    let output: String
    let errors: String

    /// Runs mirror from its start to its end.
    static func of(
        _ arguments: String..., through wrapper: [String] = [], environment: [String: String] = [:],
        input: String = "", directory: String? = nil
    ) async throws -> CommandResult {
        try await RunningCommand(
            arguments, through: wrapper, environment: environment, input: Array(input.utf8), directory: directory
        ).result()
    }

    /// Runs a line of the shell, in which `"$@"` stands for mirror and its arguments.
    static func of(shell line: String, _ arguments: String...) async throws -> CommandResult {
        try await RunningCommand(arguments, through: ["/bin/sh", "-c", line, "sh"]).result()
    }
}
