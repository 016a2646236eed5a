// What may stand for SOURCE, with the built binary: standard input, a URL, several at once, saved reports, other schemes.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct SourcesTests {
        private static let body = Body.synthetic(length: 100_000, seed: 1)

        private func prepare() throws -> (WickedOrigin, Workplace) {
            let origin = try WickedOrigin()
            for name in ["/a.bin", "/b.bin"] { origin.serve(name, Resource(body: Self.body, etag: "\"1\"")) }
            return (origin, try Workplace(origin))
        }

        @Test func `a manifest from standard input`() async throws {
            let (origin, place) = try prepare()
            let lines = "# two files\r\n\(origin.url("/a.bin"))\r\n\(origin.url("/b.bin"))\r\n  out=deep/er/c.bin\r\n"
            let result = try await place.sync("-", input: lines)
            #expect(result.ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
            #expect(place.holds("deep/er/c.bin", Self.body))
            #expect(try place.report().run.sources == ["standard input"])
        }

        @Test func `a manifest from a server, beside one from a file`() async throws {
            let (origin, place) = try prepare()
            origin.serve("/list.txt", Resource(body: .text(origin.url("/a.bin") + "\n"), contentType: "text/plain"))
            try place.write("manifest.txt", lines: [origin.url("/b.bin")])
            let result = try await place.sync(origin.url("/list.txt"), "manifest.txt")
            #expect(result.ending == .exit(0))
            #expect(try place.report().actions == ["a.bin": "fetch", "b.bin": "fetch"])
        }

        @Test func `a manifest that the server does not have is a bad source`() async throws {
            let (origin, place) = try prepare()
            let result = try await place.sync(origin.url("/none.txt"))
            #expect(result.ending == .exit(2))
            #expect(result.errors == "mirror: \(origin.url("/none.txt")): the server does not have it (404)\n")
            #expect(!place.exists("out"))
        }

        @Test func `what failed is tried again with the report alone`() async throws {
            let (origin, place) = try prepare()
            origin.remove("/b.bin")
            try place.write("manifest.txt", lines: [origin.url("/a.bin"), origin.url("/b.bin")])
            #expect(try await place.sync("manifest.txt", "--report", "night.json").ending == .exit(1))
            origin.serve("/b.bin", Resource(body: Self.body))
            origin.resetLog()
            #expect(try await place.sync("--only", "failed", "night.json").ending == .exit(0))
            #expect(place.holds("b.bin", Self.body))
            #expect(origin.log.map(\.target) == ["/b.bin"])
            #expect(try place.report().files.map(\.path) == ["b.bin"])
        }

        @Test func `an alternate is asked when the first URL fails`() async throws {
            let (origin, place) = try prepare()
            try place.write("manifest.txt", lines: [origin.url("/none.bin") + "\t" + origin.url("/a.bin")])
            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            #expect(place.holds("none.bin", Self.body))
            #expect(origin.log.map(\.target) == ["/none.bin", "/a.bin"])
        }

        @Test func `a wrong checksum keeps the old file, and says so`() async throws {
            let (origin, place) = try prepare()
            let wrong = String(repeating: "0", count: 64)
            try place.write("manifest.txt", lines: [origin.url("/a.bin"), "  checksum=sha-256=\(wrong)"])
            try place.write("out/a.bin", Body.synthetic(length: 100_001, seed: 2).allBytes)
            #expect(try await place.sync("manifest.txt").ending == .exit(1))
            #expect(try place.report().failures == ["checksum"])
            #expect(place.holds("a.bin", Body.synthetic(length: 100_001, seed: 2)))
        }

        @Test func `a file URL`() async throws {
            let place = try Workplace()
            try place.write("from/a.bin", Self.body.allBytes)
            try place.write("manifest.txt", lines: ["file://\(place.path)/from/a.bin"])
            try place.write("out/a.bin", Self.body.bytes(in: 0..<40_000))
            let result = try await place.sync("manifest.txt", "--size-only")
            #expect(result.ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
            #expect(try place.report().actions == ["a.bin": "resume"])
            let again = try await place.sync("manifest.txt")
            #expect(again.output.hasPrefix("1 file: 1 skip\n0 B fetched") && again.output.hasSuffix(" 1 request\n"))
        }

        @Test func `an FTP server gives sizes, times and ranges`() async throws {
            let folder = try Workplace()
            let server = try FTPServer(root: folder.path)
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            try folder.write("pub/a.bin", Self.body.allBytes, modified: date)
            let place = try Workplace(server, folder)
            try place.write("manifest.txt", lines: [server.url("/pub/a.bin")])
            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
            let attributes = try FileManager.default.attributesOfItem(atPath: place.directory + "/a.bin")
            #expect(attributes[.modificationDate] as? Date == date)

            server.forgetCommands()
            #expect(try await place.sync("manifest.txt").output.hasPrefix("1 file: 1 skip\n"))
            #expect(server.commands.contains("SIZE a.bin") && !server.commands.contains("RETR a.bin"))

            try place.write("out/a.bin", Self.body.bytes(in: 0..<60_000), modified: date)
            server.forgetCommands()
            #expect(try await place.sync("manifest.txt", "--size-only").ending == .exit(0))
            #expect(try place.report().actions == ["a.bin": "resume"])
            #expect(place.holds("a.bin", Self.body))
            #expect(server.commands.contains("REST \(60_000 - 16_384)"))

            try place.write("manifest.txt", lines: [server.url("/pub/none.bin")])
            #expect(try await place.sync("manifest.txt").ending == .exit(1))
            #expect(try place.report().failures == ["not-found"])
        }

        @Test func `a server's redirect never leads to a file of this machine`() async throws {
            let (origin, place) = try prepare()
            let secret = try place.write("secret.bin", [1, 2, 3])
            origin.serve("/a.bin") { _ in .redirect(to: "file://\(secret)") }
            try place.write("manifest.txt", lines: [origin.url("/a.bin")])
            #expect(try await place.sync("manifest.txt").ending == .exit(1))
            #expect(!place.exists("out/a.bin"))
        }
    }
}
