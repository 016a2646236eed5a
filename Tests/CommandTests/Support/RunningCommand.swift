// The built binary in a process of its own. Its output goes to files, so that no pipe fills up and no thread reads.

import Foundation
import Glibc
import MirrorTestSupport

/// A mirror that is running, or a program that serves it.
final class RunningCommand: Sendable {
    let process: pid_t
    private let folder: URL
    private let ended: Task<ChildProcess.Ending, Never>

    /// - Parameters:
    ///   - arguments: those of the program.
    ///   - program: mirror, where nothing else is named.
    ///   - wrapper: a command that runs the one behind it, such as `env --ignore-signal=HUP`.
    ///   - environment: added to `PATH`, `HOME` and the options of sanitizers.
    ///   - input: what standard input holds.
    ///   - directory: where the process is; nil for where the tests are.
    init(
        _ arguments: [String], program: String = RunningCommand.binary, through wrapper: [String] = [],
        environment: [String: String] = [:], input: [UInt8] = [], directory: String? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(input).write(to: folder.appendingPathComponent("input"))
        let place = directory.map { ["env", "--chdir=\($0)"] } ?? []
        let words = place + wrapper + [program] + arguments
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path, "MIRROR": Self.binary]
        variables.merge(Self.sanitizerOptions) { $1 }
        variables.merge(environment) { $1 }
        let child = try ChildProcess(
            words, environment: variables.map { "\($0)=\($1)" }, input: folder.appendingPathComponent("input").path,
            output: folder.appendingPathComponent("output").path, errors: folder.appendingPathComponent("errors").path)
        process = child.id
        ended = Task.detached { await child.ending() }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A wrapper for servers: runs a command until it is told to end, or until the test process is gone, so that a test
    /// run that crashes leaves nothing behind.
    static var watch: [String] {
        let script = """
            test=$1; shift
            "$@" & server=$!
            (while kill -0 "$test" && kill -0 $server; do sleep 1; done; kill $server) 2>/dev/null &
            trap 'kill $server' TERM
            wait $server; wait $server
            """
        return ["/bin/sh", "-c", script, "sh", "\(getpid())"]
    }

    /// Sends a signal while the process runs.
    func send(_ signal: Int32) { kill(process, signal) }

    /// Whether there is nothing more to wait for.
    var hasEnded: Bool {
        var info = siginfo_t()
        // WNOWAIT leaves the ending to the one who waits for it; an error means that he has it.
        return waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_signo != 0
    }

    /// Waits until the process has been stopped by a signal; false when it ended before.
    func waitUntilStopped() async throws -> Bool {
        while !hasEnded {
            let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            if status.split(separator: ")").last?.hasPrefix(" T") == true { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }

    /// Waits until the process has a file open; an end of the process ends the waiting too.
    func waitUntilItHolds(_ path: String) async throws {
        let folder = "/proc/\(process)/fd"
        while !hasEnded {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let files = names.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            if files.contains(path) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// What standard output holds so far.
    var output: String { text("output") }
    /// What standard error holds so far.
    var errors: String { text("errors") }

    /// Waits for the end.
    func result() async -> CommandResult {
        let ending = await ended.value
        return CommandResult(ending: ending, output: output, errors: errors)
    }

    private func text(_ name: String) -> String {
        let data = try? Data(contentsOf: folder.appendingPathComponent(name))
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Where the sanitizers write what they find, for a binary that was built with one.
    private static let sanitizerOptions = ProcessInfo.processInfo.environment.filter { name, _ in
        ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains(name)
    }

    /// Beside the test bundle, whatever the build folder is called.
    static let binary: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("mirror").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return root.appendingPathComponent(".build/debug/mirror").path
    }()
}
