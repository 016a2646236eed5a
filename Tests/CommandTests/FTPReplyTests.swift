// What FTP servers answer in place of a file, and what becomes of it.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct FTPReplyTests {
        private static let body = Body.synthetic(length: 200_000, seed: 1)

        /// - Parameter reply: for a command and how often it came before.
        private func sync(
            _ options: [String] = [], _ reply: @escaping @Sendable (_ command: String, _ count: Int) -> String?
        ) async throws -> (place: Workplace, result: CommandResult) {
            let root = try Workplace()
            try root.write("a.zip", Self.body.allBytes, modified: Date(timeIntervalSince1970: 1_700_000_000))
            let counts = Locked([String: Int]())
            let server = try FTPServer(root: root.path) { command in
                let count = counts.withLock { counts in
                    counts[command, default: 0] += 1
                    return counts[command, default: 1] - 1
                }
                return reply(command, count)
            }
            let place = try Workplace(root, server)
            try place.write("manifest.txt", lines: [server.url("/a.zip")])
            return (place, try await place.start(["manifest.txt"] + options).result())
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let command: String
            let reply: String
            let failure: String
            var testDescription: String { "\(command) \(reply)" }
        }

        @Test(arguments: [
            Row(command: "", reply: "421 too many users", failure: "connect"),
            Row(command: "USER", reply: "530 not you", failure: "unauthorized"),
            Row(command: "PASS", reply: "530 wrong", failure: "unauthorized"),
            Row(command: "PASS", reply: "421 too many users", failure: "connect"),
            Row(command: "RETR", reply: "550 no such file", failure: "not-found"),
            Row(command: "RETR", reply: "450 busy", failure: "http"),
            Row(command: "RETR", reply: "451 disk trouble", failure: "http"),
            Row(command: "RETR", reply: "425 no data connection", failure: "connect"),
            Row(command: "RETR", reply: "553 not that name", failure: "http"),
        ])
        func `a reply that is always the same is that failure`(row: Row) async throws {
            let (place, result) = try await sync(["--retries", "0"]) { command, _ in
                command == row.command ? row.reply : nil
            }
            #expect(result.ending == .exit(1))
            #expect(try place.report().failures == [row.failure])
            #expect(!place.exists("out/a.zip"))
        }

        @Test(arguments: [
            ("", "421 too many users"), ("PASS", "421 too many users"), ("RETR", "450 busy"),
            ("RETR", "425 no data connection"),
        ])
        func `what passes is tried again`(command: String, reply: String) async throws {
            let (place, result) = try await sync { $0 == command && $1 == 0 ? reply : nil }
            #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
            #expect(place.holds("a.zip", Self.body))
        }

        @Test func `what does not pass is asked for once`() async throws {
            let asked = Locked(0)
            let (_, result) = try await sync { command, _ in
                guard command == "RETR" else { return nil }
                asked.withLock { $0 += 1 }
                return "550 no such file"
            }
            #expect(result.ending == .exit(1))
            #expect(asked.read { $0 } == 1)
        }

        @Test(arguments: ["REST", "SIZE", "MDTM", "EPSV"])
        func `a server without one of the newer commands`(command: String) async throws {
            let (place, result) = try await sync { name, _ in
                // Without EPSV it would be PASV, which this server does not have either: no data, and an end.
                name == command ? "502 not here" : nil
            }
            if command == "EPSV" {
                #expect(result.ending == .exit(1))
            } else {
                #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
                #expect(place.holds("a.zip", Self.body))
            }
        }

        @Test(arguments: [false, true])
        func `a data connection that is cut`(refusesREST: Bool) async throws {
            let (place, result) = try await sync { command, count in
                switch command {
                case "DATA" where count == 0: "100000"
                case "REST" where refusesREST: "502 not here"
                default: nil
                }
            }
            #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
            #expect(place.holds("a.zip", Self.body))
        }
    }
}
