// Several files over one HTTP/2 connection that is not read from for a while, and none of that through a proxy.

import MirrorKit
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct StreamsTests {
        @Test func `all streams of a connection stand still and go on`() async throws {
            let server = try await NginxServer.start()
            let body = Body.synthetic(length: 24 << 20, seed: 1)
            let names = ["a.bin", "b.bin"]
            for name in names { try server.serve(name, body.allBytes) }
            let place = try Workplace(server)
            let list = try place.write("manifest.txt", lines: names.map { server.url("/\($0)", isSecure: true) })
            var options = SyncOptions(sources: [list])
            options.directory = place.directory
            // The first stream's answer makes its connection known as one for many; the other ranges then join it.
            options.minimumSplitSize = 1 << 20
            options.transport.caFile = server.certificate
            let sync = Sync(options)
            let run = Task { try await sync.run() }
            for part in 1...4 {
                // The windows of all streams are full when nobody has read for a while.
                while sync.progress.bytesFetched < Int64(part * 8 << 20) { try await Task.sleep(for: .milliseconds(1)) }
                await sync.pause()
                let stopped = sync.progress.bytesFetched
                for _ in 0..<200 { await Task.yield() }
                #expect(sync.progress.bytesFetched == stopped)
                await sync.resume()
            }
            let report = try await run.value
            #expect(report.run.exitCode == .inLine, "\(report.files.compactMap(\.failure))")
            #expect(report.totals.retries == 0)
            #expect(names.allSatisfy { place.holds($0, body) })
            let requests = try await server.requests()
            #expect(Set(requests.map(\.version)) == ["HTTP/2.0"])
            #expect(Set(requests.map(\.connection)).count < requests.count)
        }

        @Test func `through a proxy no two requests share an HTTP/2 connection at a time`() async throws {
            // Slow enough that the first range is on its way when the others begin.
            let server = try await NginxServer.start("limit_rate 4m;")
            let body = Body.synthetic(length: 8 << 20, seed: 2)
            try server.serve("a.bin", body.allBytes)
            let proxy = try await LoopbackServer.start(.tinyproxy(tunnels: server.ports.secure))
            let place = try Workplace(proxy, server)
            try place.write("manifest.txt", lines: [server.url("/a.bin", isSecure: true)])
            let options = ["manifest.txt", "-k", "1M", "-s", "4", "--cacert", server.certificate]
            let arguments = options + ["--proxy", "http://127.0.0.1:\(proxy.port)"]
            let result = await (try place.start(arguments)).result()
            #expect(result.ending == .exit(0), "\(result.output)")
            #expect(place.holds("a.bin", body))
            let tunnelled = try await server.requests()
            #expect(Set(tunnelled.map(\.version)) == ["HTTP/2.0"])
            #expect(Set(tunnelled.map(\.connection)).count == tunnelled.count)

            // Without a proxy they do, or this would show nothing.
            let direct = try Workplace(server)
            try direct.write("manifest.txt", lines: [server.url("/a.bin", isSecure: true)])
            #expect(await (try direct.start(options)).result().ending == .exit(0))
            let shared = try await server.requests().dropFirst(tunnelled.count)
            #expect(Set(shared.map(\.connection)).count == 1)
        }
    }
}
