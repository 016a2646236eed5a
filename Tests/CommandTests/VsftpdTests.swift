// vsftpd, which is what most FTP servers are.

import Foundation
import Glibc
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct VsftpdTests {
        private static let body = Body.synthetic(length: 3_000_000, seed: 1)

        private func prepare(
            _ program: LoopbackServer.Program = .vsftpd(), user: String = "", file: String = "a.bin"
        ) async throws -> Workplace {
            let server = try await LoopbackServer.start(program, files: ["a.bin": Self.body])
            let place = try Workplace(server)
            try place.write("manifest.txt", lines: ["ftp://\(user)127.0.0.1:\(server.port)/\(file)"])
            return place
        }

        @Test func `a whole file, and a file that is in line`() async throws {
            let place = try await prepare()
            let result = try await place.sync("manifest.txt", "--retries", "0")
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(place.holds("a.bin", Self.body))
            #expect(try await place.sync("manifest.txt").output.hasPrefix("1 file: 1 skip\n"))
        }

        @Test func `the rest of a short file, by REST`() async throws {
            let place = try await prepare()
            try place.write("out/a.bin", Self.body.bytes(in: 0..<2_000_000))
            let result = try await place.sync("manifest.txt", "--retries", "0")
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(place.holds("a.bin", Self.body))
            let file = try #require(try place.report()["a.bin"])
            #expect(file.ranges == [[2_000_000, 2_999_999]])
            #expect(file.bytesFetched < 2_000_000)
        }

        @Test(arguments: [
            ("", "nope.bin", "not-found"), ("me:word@", "a.bin", "unauthorized"),
        ])
        func `no such file, no such user: once and no more`(user: String, file: String, failure: String) async throws {
            let place = try await prepare(user: user, file: file)
            let result = try await place.sync("manifest.txt")
            #expect(result.ending == .exit(1))
            #expect(try place.report().failures == [failure])
            #expect(try place.report().files.map(\.attempts) == [1])
            #expect(!place.exists("out/\(file)"))
        }

        @Test func `a folder with all that lies below it, and what the server no longer has`() async throws {
            let small = Body.synthetic(length: 1_000, seed: 2)
            let files = ["a.bin": Self.body, "deep/er/b c.bin": small, "deep/%41#?.bin": small, "deep/gone.bin": small]
            let server = try await LoopbackServer.start(.vsftpd(), files: files)
            let www = "\(server.folder)/www"
            try FileManager.default.createDirectory(atPath: "\(www)/none", withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: "\(www)/deep/up", withDestinationPath: "..")
            let place = try Workplace(server)
            let url = "ftp://127.0.0.1:\(server.port)/"
            let result = try await place.sync(url, "--retries", "0")
            #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
            for (name, body) in files { #expect(place.holds(name, body), "\(name)") }
            #expect(result.errors.contains("«up -> ..»"))
            #expect(try await place.sync(url).output.hasPrefix("4 files: 4 skip\n"))

            try FileManager.default.removeItem(atPath: "\(www)/deep/gone.bin")
            #expect(try await place.sync(url, "--delete").ending == .exit(0))
            #expect(try place.report()["deep/gone.bin"]?.status == "removed")
            #expect(!place.exists("out/deep/gone.bin") && place.holds("deep/er/b c.bin", small))
        }

        @Test func `a folder that the server does not have is a bad source`() async throws {
            let place = try await prepare(file: "nope/")
            let url = try #require(Workplace.bytes(at: "\(place.path)/manifest.txt"))
            let source = String(decoding: url, as: UTF8.self).trimmingCharacters(in: .newlines)
            let result = try await place.sync(source, "--retries", "0")
            #expect(result.ending == .exit(2), "\(result.output)\(result.errors)")
        }

        @Test(
            .enabled(if: geteuid() == 0 && OwnMounts.arePossible, OwnMounts.reason),
            arguments: [
                ("me:word@", [], "done"), ("", ["--user", "me:word"], "done"), ("", ["--user", "me:wrong"], "failed"),
                ("", [], "failed"),
            ] as [(String, [String], String)])
        func `a server for one user`(user: String, options: [String], status: String) async throws {
            let place = try await prepare(.vsftpd(user: "me", password: "word"), user: user)
            let result = await (try place.start(["manifest.txt", "--retries", "0"] + options)).result()
            #expect(try place.report().files.map(\.status) == [status], "\(result.output)")
            #expect(status == "failed" || place.holds("a.bin", Self.body))
            if status == "failed" { #expect(try place.report().failures == ["unauthorized"]) }
        }
    }
}
