// Apache, with the settings of it that get in the way of ranges and sizes.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct ApacheTests {
        private static let body = Body.synthetic(length: 3_000_000, seed: 1)

        private func prepare(_ settings: String = "", _ body: Body = body) async throws -> Workplace {
            let server = try await LoopbackServer.start(.apache(settings), files: ["a.bin": body])
            let place = try Workplace(server)
            try place.write("manifest.txt", lines: ["http://127.0.0.1:\(server.port)/a.bin"])
            return place
        }

        @Test func `ranges in parallel, a short file, and a file that is in line`() async throws {
            let place = try await prepare()
            let result = try await place.sync("manifest.txt", "-k", "500k", "-s", "4")
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(place.holds("a.bin", Self.body))
            #expect(try await place.sync("manifest.txt").output.hasPrefix("1 file: 1 skip\n"))

            try FileManager.default.removeItem(atPath: place.directory)
            try place.write("out/a.bin", Self.body.bytes(in: 0..<1_000_000))
            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
            #expect(try place.report()["a.bin"]?.ranges == [[1_000_000, 2_999_999]])
        }

        @Test func `C019 C025 MaxRanges none: whole files, new and in place of a short one`() async throws {
            let place = try await prepare("MaxRanges none")
            let result = try await place.sync("manifest.txt", "-k", "500k", "-s", "4", "--retries", "0")
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(place.holds("a.bin", Self.body))

            try FileManager.default.removeItem(atPath: place.directory)
            try place.write("out/a.bin", Self.body.bytes(in: 0..<1_000_000))
            #expect(try await place.sync("manifest.txt", "--retries", "0").ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
        }

        @Test func `C049 C052 deflate that nobody asked for: kept as it came, and in line from then on`() async throws {
            let text = String(repeating: "what compresses well ", count: 20_000)
            let place = try await prepare(
                """
                SetEnvIf Request_URI . force-gzip
                SetOutputFilter DEFLATE
                """, .text(text))
            let result = try await place.sync("manifest.txt", "-k", "50k", "-s", "4", "--retries", "0")
            #expect(result.ending == .exit(0), "\(result.output)")
            let unpacked = try await RunningCommand(["-dc", place.directory + "/a.bin"], program: "/usr/bin/gzip")
                .result()
            #expect(unpacked.output == text)
            let again = try await place.sync("manifest.txt", "--retries", "0")
            #expect(again.ending == .exit(0))
            #expect(try place.report().failures == [])
            #expect(try place.report().totals.bytesFetched == 0, "\(again.output)")
        }
    }
}
