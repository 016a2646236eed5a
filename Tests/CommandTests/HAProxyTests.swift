// HAProxy before nginx: connections that end after each answer, and requests that it has no room for.

import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct HAProxyTests {
        private static let names = (0..<12).map { "\($0).bin" }
        private static func body(_ name: String) -> Body {
            .synthetic(length: 200_000, seed: UInt64(name.utf8.first ?? 0))
        }

        private func prepare(
            nginx settings: String = "", defaults: String = "", server: String = ""
        ) async throws -> (nginx: NginxServer, place: Workplace) {
            let nginx = try await NginxServer.start(settings)
            for name in Self.names { try nginx.serve(name, Self.body(name).allBytes) }
            let front = try await LoopbackServer.start(
                .haproxy(before: nginx.ports.plain, defaults: defaults, server: server))
            let place = try Workplace(front, nginx)
            try place.write("manifest.txt", lines: Self.names.map { "http://127.0.0.1:\(front.port)/\($0)" })
            return (nginx, place)
        }

        @Test func `C163 option httpclose: a connection for each answer, and no failure`() async throws {
            let (nginx, place) = try await prepare(defaults: "option httpclose")
            let result = try await place.sync("manifest.txt", "-k", "50k", "-s", "3", "--retries", "0")
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(Self.names.allSatisfy { place.holds($0, Self.body($0)) })
            let requests = try await nginx.requests()
            #expect(Set(requests.map(\.connection)).count == requests.count)
        }

        @Test func `C083 maxconn and a queue of no patience: 503 is no failure of a file`() async throws {
            // Two answers take longer than anybody may wait in the queue.
            let (_, place) = try await prepare(
                nginx: "limit_rate 800k;", defaults: "timeout queue 1ms", server: "maxconn 2")
            let result = try await place.sync("manifest.txt", "--retries", "0", "--connections-per-host", "12")
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(Self.names.allSatisfy { place.holds($0, Self.body($0)) })
            #expect(try place.report().totals.requests > Self.names.count, "nothing was refused")
        }
    }
}
