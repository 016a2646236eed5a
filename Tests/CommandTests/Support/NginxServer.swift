// Debian's nginx as the tests use it: one process on free ports of 127.0.0.1, all of its files in one temporary
// folder, started for the test and ended with it. The nginx service of the machine is never touched.

import Foundation
import Glibc
import MirrorTestSupport

/// A running nginx.
final class NginxServer: Sendable {
    /// Why there is no server, in words for the one who runs the tests.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    let folder: String
    let ports: (plain: UInt16, secure: UInt16)
    private let program: String
    private let command: Locked<RunningCommand>

    /// Starts a server.
    /// - Parameter settings: directives of the server block, with `@FOLDER@` for the folder of the server.
    static func start(_ settings: String = "") async throws -> NginxServer {
        let places = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        guard let program = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw Problem(description: "nginx is missing: apt-get install --no-install-recommends nginx")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/www", withIntermediateDirectories: true)
        try await makeCertificate(folder)
        for _ in 0..<20 {
            if let server = try await attempt(program, folder, settings) { return server }
        }
        throw Problem(description: "nginx finds no free port")
    }

    private init(_ program: String, _ folder: String, _ ports: (UInt16, UInt16), _ command: RunningCommand) {
        self.program = program
        self.folder = folder
        self.ports = ports
        self.command = Locked(command)
    }

    deinit {
        let command = command.read { $0 }
        command.send(SIGTERM)
        // It ends within milliseconds, and what it removes itself must not get in the way of removing the rest.
        for _ in 0..<1000 where !command.hasEnded { usleep(1000) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The URL of a path, by http or by https.
    func url(_ path: String, isSecure: Bool = false) -> String {
        isSecure ? "https://localhost:\(ports.secure)\(path)" : "http://127.0.0.1:\(ports.plain)\(path)"
    }

    /// The certificate that the server shows, which no system trusts.
    var certificate: String { folder + "/certificate.pem" }

    /// Puts a file on the server.
    func serve(_ name: String, _ bytes: [UInt8], modified: Date? = nil) throws {
        try Workplace.write("\(folder)/www/\(name)", bytes, modified: modified)
    }

    /// How many requests have been answered.
    var answered: Int {
        let log = (try? String(contentsOfFile: folder + "/access.log", encoding: .utf8)) ?? ""
        return log.utf8.count { $0 == UInt8(ascii: "\n") }
    }

    /// All requests so far. Waits until every connection has ended: a request is logged when it is over, which may be
    /// after its client has gone.
    func requests() async throws -> [NginxRequest] {
        while try openConnections() > 1 { try await Task.sleep(for: .milliseconds(5)) }
        let log = try String(contentsOfFile: folder + "/access.log", encoding: .utf8)
        return log.split(separator: "\n").compactMap { NginxRequest(line: $0) }
    }

    // MARK: Starting

    /// - Returns: nil when somebody else took the port between the look and the bind.
    private static func attempt(_ program: String, _ folder: String, _ settings: String) async throws -> NginxServer? {
        let ports = (try LoopbackPort.free(), try LoopbackPort.free())
        let text = configuration(ports, settings).replacingOccurrences(of: "@FOLDER@", with: folder)
        try text.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        guard let command = try await launch(program, folder) else { return nil }
        return NginxServer(program, folder, ports, command)
    }

    private static func launch(_ program: String, _ folder: String) async throws -> RunningCommand? {
        let command = try RunningCommand(
            ["-p", folder, "-e", folder + "/error.log", "-c", folder + "/nginx.conf"], program: program,
            through: RunningCommand.watch)
        // nginx writes the file after it has bound its ports, so it is this nginx that answers there.
        while pid(in: folder) == nil {
            if command.hasEnded {
                let errors = await command.result().errors
                if errors.contains("Address already in use") { return nil }
                throw Problem(description: "nginx did not start: \(errors)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return command
    }

    private static func pid(in folder: String) -> pid_t? {
        let text = try? String(contentsOfFile: folder + "/nginx.pid", encoding: .utf8)
        return text.flatMap { pid_t($0.prefix { $0.isNumber }) }
    }

    /// Kills the server in the middle of what it does, and starts it again where it was.
    func dieAndComeBack() async throws {
        guard let process = Self.pid(in: folder) else { throw Problem(description: "nginx does not run") }
        kill(process, SIGKILL)
        _ = await command.read { $0 }.result()
        try FileManager.default.removeItem(atPath: folder + "/nginx.pid")
        guard let another = try await Self.launch(program, folder) else {
            throw Problem(description: "somebody else took the port of nginx while it was gone")
        }
        command.withLock { $0 = another }
    }

    private static func configuration(_ ports: (UInt16, UInt16), _ settings: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \"@FOLDER@/\($0)\";" }
        return """
            daemon off;
            master_process off;
            pid "@FOLDER@/nginx.pid";
            error_log "@FOLDER@/error.log";
            events { worker_connections 1024; }
            http {
                \(temporary.joined(separator: " "))
                types { text/html html; }
                default_type application/octet-stream;
                keepalive_requests 1000000;
                log_format requests '\(NginxRequest.format)';
                access_log "@FOLDER@/access.log" requests;
                server {
                    listen 127.0.0.1:\(ports.0);
                    listen 127.0.0.1:\(ports.1) ssl http2;
                    ssl_certificate "@FOLDER@/certificate.pem";
                    ssl_certificate_key "@FOLDER@/key.pem";
                    root "@FOLDER@/www";
                    location = /.status { stub_status; access_log off; }
                    \(settings)
                }
            }
            """
    }

    private static func makeCertificate(_ folder: String) async throws {
        let result = try await RunningCommand(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                "-keyout", folder + "/key.pem", "-out", folder + "/certificate.pem",
            ], program: "/usr/bin/openssl"
        ).result()
        guard result.ending == .exit(0) else {
            throw Problem(description: "openssl made no certificate (apt-get install openssl): \(result.errors)")
        }
    }

    // MARK: Watching

    /// Connections that nginx has not closed, the one that asks included.
    private func openConnections() throws -> Int {
        let answer = try LoopbackPort.ask(ports.plain, "GET /.status HTTP/1.0\r\n\r\n")
        let words = answer.split { $0.isWhitespace }
        guard let index = words.firstIndex(of: "connections:"), let count = Int(words[index + 1]) else {
            throw Problem(description: "nginx does not tell its connections: \(answer)")
        }
        return count
    }
}
