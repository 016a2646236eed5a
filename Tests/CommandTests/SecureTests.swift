// HTTPS and HTTP/2 with Debian's nginx and a certificate that no system trusts.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct SecureTests {
        private static let body = Body.synthetic(length: 3_000_000, seed: 1)

        private func prepare() async throws -> (NginxServer, Workplace) {
            let server = try await NginxServer.start()
            try server.serve("a.bin", Self.body.allBytes)
            let place = try Workplace(server)
            try place.write("manifest.txt", lines: [server.url("/a.bin", isSecure: true)])
            return (server, place)
        }

        @Test func `a certificate that nobody trusts`() async throws {
            let (server, place) = try await prepare()
            let result = try await place.sync("manifest.txt", "--retries", "0")
            #expect(result.ending == .exit(1))
            #expect(try place.report().failures == ["tls"])
            #expect(!place.exists("out/a.bin"))
            #expect(try await server.requests().isEmpty)
        }

        struct Way: Sendable, CustomTestStringConvertible {
            let options: [String]
            let version: String
            var testDescription: String { options.joined(separator: " ") }
        }

        @Test(arguments: [
            Way(options: ["--insecure"], version: "HTTP/2.0"),
            Way(options: ["--insecure", "--http1.1"], version: "HTTP/1.1"),
            Way(options: ["--cacert"], version: "HTTP/2.0"),
            Way(options: ["--http1.1", "--cacert"], version: "HTTP/1.1"),
            Way(options: ["--http2", "--cacert"], version: "HTTP/2.0"),
        ])
        func `HTTPS with a certificate that the user trusts`(way: Way) async throws {
            let (server, place) = try await prepare()
            let trust = way.options.last == "--cacert" ? [server.certificate] : []
            let arguments = ["manifest.txt", "-k", "500k", "-s", "4"] + way.options + trust
            let result = await (try place.start(arguments)).result()
            #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
            #expect(place.holds("a.bin", Self.body))
            let requests = try await server.requests()
            #expect(requests.count > 1)
            #expect(Set(requests.map(\.version)) == [way.version])
        }
    }
}
