// Log-ins, headers and proxies by the options that bear curl's names.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct CredentialsTests {
        private static let body = Body.synthetic(length: 100_000, seed: 1)

        /// nginx with a file that only `me` with `secret` may have.
        private func prepareNginx() async throws -> (NginxServer, Workplace) {
            let server = try await NginxServer.start(
                #"location /private/ { auth_basic "private"; auth_basic_user_file "@FOLDER@/users"; }"#)
            try Workplace.write(server.folder + "/users", Array("me:{PLAIN}secret\n".utf8))
            try server.serve("private/a.bin", Self.body.allBytes)
            let place = try Workplace(server)
            try place.write("manifest.txt", lines: [server.url("/private/a.bin")])
            return (server, place)
        }

        private func prepareOrigin() throws -> (WickedOrigin, Workplace) {
            let origin = try WickedOrigin()
            origin.serve("/a.bin", Resource(body: Self.body, etag: "\"1\""))
            let place = try Workplace(origin)
            try place.write("manifest.txt", lines: [origin.url("/a.bin")])
            return (origin, place)
        }

        @Test func `without a log-in the file is not to be had, and it is not asked for again`() async throws {
            let (server, place) = try await prepareNginx()
            #expect(try await place.sync("manifest.txt").ending == .exit(1))
            #expect(try place.report().failures == ["unauthorized"])
            #expect(try await server.requests().count == 1)
        }

        @Test func `--user`() async throws {
            let (_, place) = try await prepareNginx()
            #expect(try await place.sync("manifest.txt", "--user", "me:secret").ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
            #expect(try await place.sync("manifest.txt", "--user", "me:secret").output.hasPrefix("1 file: 1 skip\n"))
        }

        @Test func `--netrc and --netrc-file`() async throws {
            let (_, place) = try await prepareNginx()
            let netrc = Array("machine 127.0.0.1 login me password secret\n".utf8)
            try place.write(".netrc", netrc)
            let home = ["HOME": place.path]
            #expect(try await place.sync("manifest.txt", "--netrc", environment: home).ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
            try FileManager.default.removeItem(atPath: place.directory)
            try place.write("own", netrc)
            #expect(try await place.sync("manifest.txt", "--netrc-file", place.path + "/own").ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
        }

        @Test func `the user's headers go with every request, and only to the server they are for`() async throws {
            let (origin, place) = try prepareOrigin()
            let other = try WickedOrigin()
            other.serve("/b.bin", Resource(body: Self.body))
            let target = other.url("/b.bin", host: "localhost")
            origin.serve("/b.bin") { _ in .redirect(to: target) }
            try place.write("manifest.txt", lines: [origin.url("/a.bin"), origin.url("/b.bin")])
            let result = try await place.sync(
                "manifest.txt", "-H", "X-Key: 1", "--user", "me:secret", "-A", "nightly/2")
            #expect(result.ending == .exit(0))
            #expect(place.holds("b.bin", Self.body))
            #expect(origin.log.allSatisfy { $0.headers["X-Key"] == "1" && $0.headers["Authorization"] != nil })
            #expect(!other.log.isEmpty)
            #expect(other.log.allSatisfy { $0.headers["X-Key"] == nil && $0.headers["Authorization"] == nil })
            #expect((origin.log + other.log).allSatisfy { $0.headers["User-Agent"] == "nightly/2" })
            #expect((origin.log + other.log).allSatisfy { $0.headers["Accept-Encoding"] ?? "identity" == "identity" })
        }

        @Test func `options of one entry go with that entry`() async throws {
            let (origin, place) = try prepareOrigin()
            origin.serve("/b.bin", Resource(body: Self.body))
            try place.write(
                "manifest.txt",
                lines: [
                    origin.url("/a.bin"), "  header=X-One: 1", "  referer=http://example.org/", "  user-agent=old",
                    origin.url("/b.bin"),
                ])
            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            let first = try #require(origin.requests(for: "/a.bin").first).headers
            #expect([first["X-One"], first["Referer"], first["User-Agent"]] == ["1", "http://example.org/", "old"])
            let second = try #require(origin.requests(for: "/b.bin").first).headers
            #expect(second["X-One"] == nil && second["Referer"] == nil)
            #expect(second["User-Agent"]?.hasPrefix("mirror/") == true)
        }

        @Test(arguments: [true, false]) func `a proxy, by option or environment`(byOption: Bool) async throws {
            let (origin, place) = try prepareOrigin()
            origin.serveOthers { Resource(body: Self.body).answer(to: $0) }
            try place.write("manifest.txt", lines: ["http://files.example/a.bin"])
            let proxy = origin.url("")
            let result =
                byOption
                ? try await place.sync("manifest.txt", "--proxy", proxy, "--proxy-user", "me:secret")
                : try await place.sync("manifest.txt", environment: ["http_proxy": proxy])
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(place.holds("a.bin", Self.body))
            #expect(origin.log.allSatisfy { $0.target == "http://files.example/a.bin" })
            #expect(origin.log.allSatisfy { ($0.headers["Proxy-Authorization"] != nil) == byOption })
        }

        @Test func `an empty proxy means none, whatever the environment says`() async throws {
            let (_, place) = try prepareOrigin()
            let nowhere = ["http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1"]
            let result = try await place.sync("manifest.txt", "--proxy", "", environment: nowhere)
            #expect(result.ending == .exit(0))
            let direct = try await place.sync("manifest.txt", "--noproxy", "127.0.0.1", environment: nowhere)
            #expect(direct.ending == .exit(0))
        }

        @Test func `--resolve`() async throws {
            let (origin, place) = try prepareOrigin()
            try place.write("manifest.txt", lines: ["http://files.example:\(origin.port)/a.bin"])
            let result = try await place.sync("manifest.txt", "--resolve", "files.example:\(origin.port):127.0.0.1")
            #expect(result.ending == .exit(0))
            #expect(origin.log.allSatisfy { $0.headers["Host"] == "files.example:\(origin.port)" })
        }
    }
}
