// Debian's web servers as the tests use them: one process on a free port of 127.0.0.1, all of its files in one
// temporary folder, started for the test and ended with it. The services of the machine are never touched.

import Foundation
import Glibc

/// A running web server.
final class WebServer: Sendable {
    /// Why there is no server, in words for the one who runs the tests.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    let port: UInt16
    private let folder: String
    private let command: RunningCommand

    /// Starts a server for what lies in a folder.
    /// - Parameter root: the folder that is `/`; a file is added to it by which the server is known.
    static func start(_ program: WebServerProgram, root: String) async throws -> WebServer {
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw Problem(description: "\(program.path) is missing: apt-get install \(program.package)")
        }
        let name = UUID().uuidString
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("server-\(name)").path
        try Workplace.write("\(root)/token.txt", Array(name.utf8))
        for _ in 0..<20 {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let port = try LoopbackPort.free()
            let command = try RunningCommand(
                try program.arguments(port: port, folder: folder, root: root), program: program.path,
                through: RunningCommand.watch)
            let server = WebServer(port, folder, command)
            if await server.answers(name) { return server }
            // Somebody else may have taken the port between the look and the bind. Anything else comes back as well.
            let errors = await command.result().errors
            guard errors.localizedCaseInsensitiveContains("address already in use") else {
                throw Problem(description: "\(program.path) did not start: \(errors)")
            }
        }
        throw Problem(description: "\(program.path) finds no free port")
    }

    private init(_ port: UInt16, _ folder: String, _ command: RunningCommand) {
        (self.port, self.folder, self.command) = (port, folder, command)
    }

    deinit {
        command.send(SIGTERM)
        // What it removes itself must not get in the way of removing the rest.
        for _ in 0..<2000 where !command.hasEnded { usleep(1000) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Requests, as method and target, from one mark in the log to the next.
    struct Request: Equatable, CustomStringConvertible {
        let method: String
        let target: String
        var description: String { "\(method) \(target)" }
    }

    /// Puts a mark into the log, and waits for it: what was answered before stands before it.
    func mark(_ name: String) async throws {
        _ = try ask("/\(name)")
        while !log.contains("/\(name)") {
            guard !command.hasEnded else { throw Problem(description: "the server has ended: \(command.errors)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    func requests(from start: String, to end: String) -> [Request] {
        let all = log.matches(of: /(GET|HEAD|PROPFIND)[^\/\n]*(\/[^" \n]*)/).map {
            Request(method: String($0.1), target: String($0.2))
        }
        let between = all.drop { $0.target != "/\(start)" }.dropFirst().prefix { $0.target != "/\(end)" }
        return Array(between)
    }

    /// The access log in whatever form: the method stands before the target in all of them.
    private var log: String {
        let bytes = FileManager.default.contents(atPath: "\(folder)/access.log")
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? command.errors
    }

    private func ask(_ target: String) throws -> String {
        try LoopbackPort.ask(port, "GET \(target) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    }

    /// Waits until this server, and no other one, answers on the port; false when it has ended.
    private func answers(_ name: String) async -> Bool {
        while !command.hasEnded {
            if let answer = try? ask("/token.txt"), answer.contains(name) { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
