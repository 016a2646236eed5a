// nginx that ends its connections, in good order and not.

import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct NginxConnectionTests {
        private static let names = (0..<30).map { "\($0).bin" }
        private static let body = Body.synthetic(length: 200_000, seed: 1)

        private func prepare(_ settings: String, isSecure: Bool) async throws -> (NginxServer, Workplace) {
            let server = try await NginxServer.start(settings)
            for name in Self.names { try server.serve(name, Self.body.allBytes) }
            let place = try Workplace(server)
            try place.write("manifest.txt", lines: Self.names.map { server.url("/\($0)", isSecure: isSecure) })
            return (server, place)
        }

        @Test(arguments: [false, true])
        func `C163 keepalive_requests 3: GOAWAY after every third file`(isHTTP1: Bool) async throws {
            let (server, place) = try await prepare("keepalive_requests 3;", isSecure: true)
            let options = ["--cacert", server.certificate, "--retries", "0"] + (isHTTP1 ? ["--http1.1"] : [])
            let result = await (try place.start(["manifest.txt"] + options)).result()
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(Self.names.allSatisfy { place.holds($0, Self.body) })
            let requests = try await server.requests()
            let perConnection = Dictionary(grouping: requests, by: \.connection).mapValues(\.count)
            #expect(perConnection.count >= 10, "\(perConnection)")
            #expect(requests.contains { $0.version == (isHTTP1 ? "HTTP/1.1" : "HTTP/2.0") })
        }

        @Test(arguments: [false, true])
        func `a server that dies and comes back: the run completes`(isSecure: Bool) async throws {
            let (server, place) = try await prepare("limit_rate 200k;", isSecure: isSecure)
            let mirror = try place.start(["manifest.txt", "--insecure", "--retries", "10"])
            // Some files are there, others on their way, the rest not begun.
            while server.answered < 3, !mirror.hasEnded { try await Task.sleep(for: .milliseconds(5)) }
            try await server.dieAndComeBack()
            let result = await mirror.result()
            #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
            #expect(Self.names.allSatisfy { place.holds($0, Self.body) })
            let report = try place.report()
            #expect(report.totals.retries > 0, "the server did not die in the middle of anything")
        }
    }
}
