// File systems that only exist for one test: a process holds a mount namespace, and mirror runs inside of it. When the
// process ends, so do the mounts; the machine never sees them.

import Glibc
import MirrorTestSupport
import Testing

/// A mount namespace with file systems in it.
final class OwnMounts: Sendable {
    private let holder: RunningCommand

    /// Why mounting may not be possible; shown with every test that is left out for it.
    static let reason: Comment =
        "LEFT OUT: this system lets nobody make a mount namespace (unshare -m as root, unshare -rm otherwise)"

    private static let unshare = ["unshare", "--mount"] + (geteuid() == 0 ? [] : ["--map-root-user"])

    /// Whether file systems can be mounted here.
    static let arePossible: Bool = {
        let line = "mount -t tmpfs -o size=64k none /tmp && echo yes"
        guard let run = try? RunningCommand([], program: "true", through: unshare + ["sh", "-c", line]) else {
            return false
        }
        while !run.hasEnded { usleep(1000) }
        return run.output == "yes\n"
    }()

    /// - Parameter script: makes the mounts; a line of the shell.
    init(_ script: String) async throws {
        let line = "set -e; \(script); echo ready; exec sleep 600"
        holder = try RunningCommand([], program: "true", through: Self.unshare + ["sh", "-c", line])
        while !holder.hasEnded, !holder.output.hasSuffix("ready\n") { try await Task.sleep(for: .milliseconds(2)) }
        try #require(!holder.hasEnded, "\(holder.errors)")
    }

    deinit { holder.send(SIGKILL) }

    private var inside: [String] {
        ["nsenter", "--target=\(holder.process)", "--mount"]
            + (geteuid() == 0 ? [] : ["--user", "--preserve-credentials"])
    }

    /// Runs mirror where the mounts are.
    func mirror(_ arguments: String...) async throws -> CommandResult {
        try await RunningCommand(arguments, through: inside).result()
    }

    /// Runs a line of the shell where the mounts are.
    @discardableResult func shell(_ line: String) async throws -> CommandResult {
        try await RunningCommand([], program: "true", through: inside + ["sh", "-c", line]).result()
    }

    /// Whether a file there has exactly these bytes.
    func holds(_ path: String, _ body: Body) -> Bool {
        guard let bytes = Workplace.bytes(at: "/proc/\(holder.process)/root\(path)") else { return false }
        return bytes == body.allBytes
    }
}
