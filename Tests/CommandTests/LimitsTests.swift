// What a run takes of a server and of the system: connections, ranges, descriptors.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct LimitsTests {
        @Test func `a server with a rate for each connection is asked over four at once, and never more`() async throws
        {
            let body = Body.synthetic(length: 8 << 20, seed: 3)
            let origin = try WickedOrigin(
                limits: Limits {
                    $0.bytesPerSecond = 1 << 20
                    $0.connections = 4
                })
            origin.serve("/large.img", Resource(body: body, etag: "\"v1\""))
            let place = try Workplace(origin)
            try place.write("manifest.txt", lines: [origin.url("/large.img")])
            let result = try await place.sync("manifest.txt", "-s", "4", "-x", "4", "-k", "1M")
            #expect(result.ending == .exit(0))
            #expect(place.holds("large.img", body))
            #expect(origin.peakConnections == 4)
            #expect(origin.peakConcurrentRequests == 4)
            #expect(origin.log.allSatisfy { $0.status != 503 })
            // Nothing is fetched twice but the overlaps of neighbours.
            #expect(origin.bodyBytesSent <= 8 << 20 + 4 * 16_384)
            #expect(try place.report().totals.retries == 0)
        }

        @Test(arguments: [1, 3]) func `many files share the connections to one server`(limit: Int) async throws {
            let origin = try WickedOrigin(limits: Limits { $0.connections = limit })
            let body = Body.synthetic(length: 200_000, seed: 4)
            origin.serveOthers { Resource(body: body).answer(to: $0) }
            let place = try Workplace(origin)
            try place.write("manifest.txt", lines: (0..<100).map { origin.url("/\($0).bin") })
            let result = try await place.sync("manifest.txt", "-x", "\(limit)", "-j", "50", "-k", "10k")
            #expect(result.ending == .exit(0))
            #expect(origin.peakConnections <= limit)
            #expect(origin.log.allSatisfy { $0.status != 503 })
            #expect((0..<100).allSatisfy { place.holds("\($0).bin", body) })
        }

        private static func body(of path: String) -> Body {
            .synthetic(length: 5_000, seed: path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        }

        @Test func `C143 a thousand files at once with sixty-four descriptors`() async throws {
            let origin = try WickedOrigin()
            origin.serveOthers { request in
                Resource(body: Self.body(of: request.path)).answer(to: request)
            }
            let place = try Workplace(origin)
            try place.write("manifest.txt", lines: (0..<1000).map { origin.url("/\($0).bin") })
            let line = #"ulimit -n 64; exec "$@" -d "$0" -j 1000 -x 200 --retries 0"#
            let run = try RunningCommand(
                ["sync", "manifest.txt"], through: ["/bin/sh", "-c", line, place.directory], directory: place.path)
            let result = await run.result()
            #expect(result.ending == .exit(0), "\(result.output)\(result.errors)")
            let wrong = (0..<1000).filter { !place.holds("\($0).bin", Self.body(of: "/\($0).bin")) }
            #expect(wrong.isEmpty)
        }
    }
}
