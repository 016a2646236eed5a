// tinyproxy between mirror and nginx: files, tunnels, and what it answers by itself.

import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct TinyproxyTests {
        private static let body = Body.synthetic(length: 3_000_000, seed: 1)
        private static let old = Body.synthetic(length: 10, seed: 2)

        private struct Scene {
            let nginx: NginxServer
            let place: Workplace
            let proxy: String

            init(tunnels: Bool = true) async throws {
                nginx = try await NginxServer.start()
                try nginx.serve("a.bin", TinyproxyTests.body.allBytes)
                let server = try await LoopbackServer.start(.tinyproxy(tunnels: tunnels ? nginx.ports.secure : 1))
                proxy = "http://127.0.0.1:\(server.port)"
                place = try Workplace(server, nginx)
            }

            func sync(_ url: String, _ options: String...) async throws -> CommandResult {
                try place.write("manifest.txt", lines: [url])
                return await (try place.start(["manifest.txt", "--proxy", proxy] + options)).result()
            }
        }

        @Test(arguments: [0, 1_000_000] as [Int64])
        func `a file through the proxy, new and gone on with`(bytesThere: Int64) async throws {
            let scene = try await Scene()
            if bytesThere > 0 { try scene.place.write("out/a.bin", Self.body.bytes(in: 0..<bytesThere)) }
            let result = try await scene.sync(scene.nginx.url("/a.bin"), "-k", "500k", "-s", "4", "--retries", "0")
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(scene.place.holds("a.bin", Self.body))
            #expect(try scene.place.report()["a.bin"]?.ranges == [[bytesThere, 2_999_999]])
        }

        @Test func `a file through a tunnel of the proxy`() async throws {
            let scene = try await Scene()
            let url = scene.nginx.url("/a.bin", isSecure: true)
            let result = try await scene.sync(url, "--cacert", scene.nginx.certificate, "-k", "500k", "-s", "4")
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(scene.place.holds("a.bin", Self.body))
        }

        @Test func `C169 the proxy's page for a server that is not there is never the file`() async throws {
            let scene = try await Scene()
            try scene.place.write("out/a.bin", Self.old.allBytes)
            let nobody = try LoopbackPort.free()
            let result = try await scene.sync("http://127.0.0.1:\(nobody)/a.bin", "--retries", "0")
            #expect(result.ending == .exit(1))
            #expect(scene.place.holds("a.bin", Self.old))
            #expect(try scene.place.report().failures == ["http"])
        }

        @Test func `C169 a CONNECT that is refused says that the proxy did it`() async throws {
            let scene = try await Scene(tunnels: false)
            let result = try await scene.sync(scene.nginx.url("/a.bin", isSecure: true), "--insecure")
            #expect(result.ending == .exit(1))
            let failure = try #require(try scene.place.report().files.first?.error)
            #expect(failure.code == "connect")
            #expect(failure.message.contains("proxy") && failure.message.contains("403"), "\(failure.message)")
            #expect(!scene.place.exists("out/a.bin"))
            #expect(try await scene.nginx.requests().isEmpty)
        }
    }
}
