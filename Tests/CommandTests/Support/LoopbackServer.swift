// A server program of Debian as the tests use it: one process on a free port of 127.0.0.1, all of its files in one temporary
// folder, started for the test and ended with it by its pid. The service of that name on the machine is never touched.

import Foundation
import Glibc
import MirrorTestSupport

/// A running server.
final class LoopbackServer: Sendable {
    /// Why there is no server, in words for the one who runs the tests.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// What there is to know of a server program.
    struct Program: Sendable {
        /// Debian's package.
        let package: String
        let path: String
        /// With `@FOLDER@` for the folder of the server.
        let arguments: [String]
        /// The file `configuration`, with `@FOLDER@` and `@PORT@`.
        let configuration: String
        /// A command that runs the one behind it.
        var wrapper: [String] = []
        /// What it says, in its output or the file `log`, when somebody else has the port.
        let portIsTaken: String
    }

    let folder: String
    let port: UInt16
    private let command: RunningCommand

    private init(_ folder: String, _ port: UInt16, _ command: RunningCommand) {
        self.folder = folder
        self.port = port
        self.command = command
    }

    deinit {
        command.send(SIGTERM)
        // It ends within milliseconds, and what it removes itself must not get in the way of removing the rest.
        for _ in 0..<1000 where !command.hasEnded { usleep(1000) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// - Parameter files: what it serves, below `www` in its folder.
    static func start(_ program: Program, files: [String: Body] = [:]) async throws -> LoopbackServer {
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw Problem(
                description:
                    "\(program.path) is missing: apt-get install --no-install-recommends \(program.package)")
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(program.package)-\(UUID().uuidString)").path
        for name in ["www", "empty"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        for (name, body) in files { try Workplace.write("\(folder)/www/\(name)", body.allBytes) }
        for _ in 0..<20 {
            if let server = try await attempt(program, folder) { return server }
        }
        throw Problem(description: "\(program.package) finds no free port")
    }

    /// - Returns: nil when somebody else took the port between the look and the bind.
    private static func attempt(_ program: Program, _ folder: String) async throws -> LoopbackServer? {
        let port = try LoopbackPort.free()
        let fill = { (text: String) in
            text.replacingOccurrences(of: "@FOLDER@", with: folder).replacingOccurrences(of: "@PORT@", with: "\(port)")
        }
        try fill(program.configuration).write(toFile: folder + "/configuration", atomically: true, encoding: .utf8)
        let command = try RunningCommand(
            program.arguments.map(fill), program: program.path,
            through: RunningCommand.watch + program.wrapper.map(fill), directory: folder)
        while !LoopbackPort.isListenedOn(port) || command.hasEnded {
            if command.hasEnded {
                let result = await command.result()
                let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
                let words = result.output + result.errors + log
                if words.contains(program.portIsTaken) { return nil }
                throw Problem(description: "\(program.package) did not start: \(words)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return LoopbackServer(folder, port, command)
    }
}
