// Requests and answers over HTTP: what is sent, what is shown of an answer, how it ends.

import MirrorCore
import MirrorTestSupport
import MirrorTransport
import Testing

struct HTTPTests {
    private static let body = Body.synthetic(length: 300_000, seed: 1)
    private static let resource = Resource(
        body: body, etag: "\"v1\"", lastModified: "Tue, 14 Nov 2023 22:13:20 GMT", headers: ["X-Other": "1"])

    @Test("GET: head once, then all bytes")
    func get() async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a", Self.resource)
            let receiver = Collector()
            let completion = try await wire.get("/a", to: receiver)
            #expect(completion.outcome == .finished)
            #expect(completion.bodyBytes == 300_000)
            #expect(receiver.heads.count == 1 && receiver.heads.first == completion.head)
            #expect(completion.head?.status == 200)
            #expect(completion.head?.contentLength == 300_000)
            #expect(completion.head?.validators.etag?.text == "\"v1\"")
            #expect(completion.head?.mediaType == "application/octet-stream")
            #expect(receiver.bytes == Self.body.allBytes)
        }
    }

    @Test("HEAD: a head and no body")
    func head() async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a", Self.resource)
            let receiver = Collector(wantsBody: false)
            let completion = await wire.send(Request(.head, try wire.address("/a")), to: receiver)
            #expect(completion.outcome == .finished)
            #expect(completion.head?.contentLength == 300_000)
            #expect(completion.bodyBytes == 0 && receiver.count == 0)
            #expect(wire.origin.log.map(\.method) == ["HEAD"])
        }
    }

    @Test(
        "ranges, with their validator",
        arguments: [
            (0, 99, "bytes=0-99", 100), (100, nil, "bytes=100-", 299_900), (299_999, 299_999, "bytes=299999-299999", 1),
        ] as [(Int64, Int64?, String, Int)])
    func range(first: Int64, last: Int64?, field: String, count: Int) async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a", Self.resource)
            let receiver = Collector()
            var request = Request(.get, try wire.address("/a"), range: (first, last))
            request.ifRange = "\"v1\""
            let completion = await wire.send(request, to: receiver)
            #expect(completion.head?.status == 206)
            #expect(completion.head?.contentRange == "bytes \(first)-\(first + Int64(count) - 1)/300000")
            #expect(receiver.bytes == Self.body.bytes(in: first..<first + Int64(count)))
            #expect(wire.origin.log[0].headers["Range"] == field)
            #expect(wire.origin.log[0].headers["If-Range"] == "\"v1\"")
        }
    }

    @Test("nothing of one request is left for the next on the same handle")
    func nothingLeft() async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a", Self.resource)
            var first = Request(.get, try wire.address("/a"), range: (5, 9))
            first.ifRange = "\"v1\""
            first.fields = [try #require(HeaderField(parsing: "X-Mine: 1"))]
            first.referer = "http://example.org/"
            first.userAgent = "other/2"
            first.bypassesCaches = true
            first.condition = Validators(etag: EntityTag("\"v0\""))
            _ = await wire.send(first)
            _ = await wire.send(Request(.head, try wire.address("/a")))
            let completion = try await wire.get("/a")
            #expect(completion.head?.status == 200 && completion.bodyBytes == 300_000)
            let log = wire.origin.log
            let names = ["Range", "If-Range", "X-Mine", "Referer", "Cache-Control", "If-None-Match"]
            #expect(names.allSatisfy { log[0].headers[$0] != nil })
            #expect(names.allSatisfy { log[1].headers[$0] == nil && log[2].headers[$0] == nil })
            #expect(log.map { $0.headers["User-Agent"] } == ["other/2", "test/1", "test/1"])
            #expect(log.map(\.method) == ["GET", "HEAD", "GET"])
            #expect(log.allSatisfy { $0.headers["Accept-Encoding"] == "identity" })
        }
    }

    @Test("a redirect is not followed and not shown, and comes out with the completion")
    func redirect() async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a") { _ in .redirect(to: "/b") }
            let receiver = Collector()
            let completion = try await wire.get("/a", to: receiver)
            #expect(completion.head?.status == 302 && completion.head?.location == "/b")
            #expect(receiver.heads.isEmpty && receiver.count == 0)
            #expect(wire.origin.log.count == 1)
        }
    }

    @Test("a small body that nobody wants is read to its end: the connection is used again")
    func drained() async throws {
        try await Wire.use { wire in
            wire.origin.serveOthers { _ in .status(503) }
            for _ in 0..<5 { _ = try await wire.get("/a", to: Collector(wantsBody: false)) }
            #expect(wire.origin.log.count == 5)
            #expect(wire.origin.acceptedConnections == 1)
        }
    }

    @Test("a large body that nobody wants ends with its connection")
    func refused() async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a", Resource(body: .synthetic(length: 64 << 20, seed: 1)))
            let completion = try await wire.get("/a", to: Collector(wantsBody: false))
            #expect(completion.outcome == .stopped)
            #expect(completion.head?.status == 200)
            #expect(completion.bodyBytes < 2 << 20)
        }
    }

    @Test("stopped in the middle of a body")
    func stopped() async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a", Resource(body: .synthetic(length: 64 << 20, seed: 1)))
            let receiver = Collector(limit: 100_000)
            let completion = try await wire.get("/a", to: receiver)
            #expect(completion.outcome == .stopped)
            #expect(receiver.count >= 100_000 && receiver.count < 2 << 20)
            #expect(completion.bodyBytes == Int64(receiver.count))
        }
    }

    @Test("a cancelled task ends its request at once, before and within the answer", arguments: [true, false])
    func cancelled(isWithinBody: Bool) async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a") { request in
                isWithinBody
                    ? Resource(body: Self.body, faults: Faults { $0.delivery = .stall(after: 1_000) }).answer(
                        to: request)
                    : .hang
            }
            wire.origin.serve("/b", Self.resource)
            let task = wire.start(Request(.get, try wire.address("/a")), to: Collector())
            #expect(await wire.origin.waitUntil(requests: 1))
            if isWithinBody { #expect(await wire.origin.waitUntil(bodyBytesSent: 1_000)) }
            task.cancel()
            #expect(await task.value.outcome == .cancelled)
            // The handle is as good as new.
            #expect(try await wire.get("/b").bodyBytes == 300_000)
        }
    }

    @Test("the end of the transport ends all requests")
    func ended() async throws {
        try await Wire.use { wire in
            wire.origin.serveOthers { _ in .hang }
            let tasks = try (0..<5).map { wire.start(Request(.get, try wire.address("/\($0)")), to: Collector()) }
            #expect(await wire.origin.waitUntil(requests: 5))
            await wire.end()
            for task in tasks { #expect(await task.value.outcome == .cancelled) }
        }
    }

    @Test("connections are kept and bounded: 60 requests over 3 connections")
    func connections() async throws {
        try await Wire.use({ $0.connectionsPerHost = 3 }) { wire in
            wire.origin.serveOthers { Resource(body: .text("x")).answer(to: $0) }
            let tasks = try (0..<60).map { wire.start(Request(.get, try wire.address("/\($0)")), to: Collector()) }
            for task in tasks { #expect(await task.value.outcome == .finished) }
            #expect(wire.origin.acceptedConnections == 3)
            #expect(wire.origin.log.count == 60)
        }
    }

    @Test("an IPv6 literal")
    func ipv6() async throws {
        try await Wire.use { wire in
            // Nobody listens there: what counts is that it is understood as an address.
            let completion = await wire.send(
                Request(.get, try wire.address("/").onIPv6(port: wire.origin.port)))
            #expect(completion.code == .connect)
            #expect(completion.head == nil)
        }
    }

    @Test("paused: not a byte more, until it goes on")
    func paused() async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a", Resource(body: .synthetic(length: 32 << 20, seed: 1)))
            let receiver = Collector()
            let task = wire.start(Request(.get, try wire.address("/a")), to: receiver)
            while receiver.count == 0 { await Task.yield() }
            let transport = wire.transport
            await Task(executorPreference: transport.loop) { await transport.setPaused(true) }.value
            let count = receiver.count
            for _ in 0..<200 { await Task.yield() }
            #expect(receiver.count == count)
            await Task(executorPreference: transport.loop) { await transport.setPaused(false) }.value
            #expect(await task.value.bodyBytes == 32 << 20)
        }
    }
}
