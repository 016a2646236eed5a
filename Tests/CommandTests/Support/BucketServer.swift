// moto's S3 server with one public bucket, from PyPI: it is installed into an environment of its own, beside the tests,
// once. Where that is not possible there is no server, and the caller must say so.

import Foundation
import Glibc

/// A running S3 server.
final class BucketServer: Sendable {
    let port: UInt16
    private let folder: String
    private let command: RunningCommand

    /// The objects whose keys can be paths.
    var truth: String { folder + "/truth" }

    static func start() async throws -> BucketServer {
        let python = try await interpreter()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bucket-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tests = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let script = tests.appendingPathComponent("Setup/bucket.py")
        for _ in 0..<20 {
            let port = try LoopbackPort.free()
            let command = try RunningCommand(
                [script.path, "\(port)", folder], program: python, through: RunningCommand.watch)
            let server = BucketServer(port, folder, command)
            if await server.isReady() { return server }
            let errors = await command.result().errors
            guard errors.contains("Address already in use") else {
                throw WebServer.Problem(description: "moto did not start: \(errors)")
            }
        }
        throw WebServer.Problem(description: "moto finds no free port")
    }

    private init(_ port: UInt16, _ folder: String, _ command: RunningCommand) {
        (self.port, self.folder, self.command) = (port, folder, command)
    }

    deinit {
        command.send(SIGTERM)
        for _ in 0..<2000 where !command.hasEnded { usleep(1000) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Requests so far, as method and target, in the order of the log.
    var requests: [String] { command.errors.matches(of: /"((?:GET|HEAD) [^ ]*) HTTP/).map { String($0.1) } }

    private func isReady() async -> Bool {
        while !command.hasEnded {
            if FileManager.default.fileExists(atPath: folder + "/ready"),
                (try? LoopbackPort.ask(port, "GET /pub HTTP/1.0\r\n\r\n").contains("ListBucketResult")) == true
            {
                return true
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// The Python that has moto; it takes its name when it is whole.
    private static func interpreter() async throws -> String {
        let place = URL(fileURLWithPath: RunningCommand.binary).deletingLastPathComponent()
            .appendingPathComponent("moto-environment").path
        if FileManager.default.fileExists(atPath: place) { return place + "/bin/python" }
        let unfinished = "\(place)-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: unfinished) }
        try await run("/usr/bin/python3", ["-m", "venv", unfinished])
        try await run(
            "\(unfinished)/bin/python",
            ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", "moto[server]"])
        try FileManager.default.moveItem(atPath: unfinished, toPath: place)
        return place + "/bin/python"
    }

    private static func run(_ program: String, _ arguments: [String]) async throws {
        let names = ["http_proxy", "https_proxy", "no_proxy", "PIP_INDEX_URL", "PIP_CERT", "PIP_CONFIG_FILE"]
        let environment = ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
        let result = try await RunningCommand(arguments, program: program, environment: environment).result()
        guard result.ending == .exit(0) else {
            throw WebServer.Problem(description: "moto cannot be installed: \(result.errors)")
        }
    }
}
