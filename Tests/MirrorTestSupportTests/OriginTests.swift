// The origin as a whole: routes, limits, log, life and death.

import MirrorTestSupport
import Testing

@Suite struct OriginTests {
    private let origin: WickedOrigin
    private let resource = Resource(body: .text("hello"), etag: "\"v1\"")

    init() throws { origin = try WickedOrigin() }

    @Test func redirectsAreFollowed() async throws {
        origin.serve("/a", resource)
        origin.serveRedirects("/start", hops: 3, to: "/a")
        let answer = try await Curl.get(origin.url("/start"), "-L")
        #expect(answer.body == Array("hello".utf8))
        #expect(answer.connections == 1)
        #expect(origin.log.map(\.status) == [302, 302, 302, 200])
        origin.serveRedirectLoop("/loop")
        #expect(try await Curl.get(origin.url("/loop"), "-L", "--max-redirs", "4").exit == 47)
    }

    @Test func aSignedLinkExpires() async throws {
        origin.serveSigned("/a", resource, uses: 1)
        for status in [200, 200] { #expect(try await Curl.get(origin.url("/a"), "-L").status == status) }
        #expect(try await Curl.get(origin.url("/a.signed?signature=0")).status == 403)
    }

    @Test func theLogTellsRequestsInOrder() async throws {
        origin.serve("/a", resource)
        _ = try await Curl.get(origin.url("/a?x=1"), "-I", "-H", "X-Test: yes")
        _ = try await Curl.get(origin.url("/b"))
        #expect(origin.log.map(\.target) == ["/a?x=1", "/b"])
        #expect(origin.log.map(\.method) == ["HEAD", "GET"])
        #expect(origin.log.map(\.status) == [200, 404])
        #expect(origin.log.map(\.connection) == [0, 1])
        #expect(origin.requests(for: "/a").first?.headers["x-test"] == "yes")
        origin.resetLog()
        #expect(origin.log.isEmpty && origin.bodyBytesSent == 0)
    }

    @Test(
        arguments: [
            (.status(405), 405, nil), (.zeroLength, 200, "Content-Length: 0\r\n"),
            (.length(7), 200, "Content-Length: 7\r\n"),
            (.normal, 200, "Content-Length: 5\r\n"), (.closed(.fin), 0, nil),
        ] as [(Faults.HeadHandling, Int, String?)])
    func headHasFaultsOfItsOwn(handling: Faults.HeadHandling, status: Int, header: String?) async throws {
        var resource = resource
        resource.faults.head = handling
        origin.serve("/a", resource)
        let head = try await Curl.get(origin.url("/a"), "-I")
        #expect(head.status == status)
        if let header { #expect(head.headers.contains(header)) }
        #expect(try await Curl.get(origin.url("/a")).body == Array("hello".utf8))
    }

    @Test func aConnectionServesAsManyRequestsAsItMay() async throws {
        origin.serve("/a", resource)
        let urls = Array(repeating: origin.url("/a"), count: 3)
        _ = try await Curl.get(urls[0], urls[1], urls[2])
        #expect(origin.acceptedConnections == 1)
        origin.limits.requestsPerConnection = 2
        _ = try await Curl.get(urls[0], urls[1], urls[2])
        #expect(origin.acceptedConnections == 3)
        #expect(origin.log.allSatisfy { $0.status == 200 })
        origin.limits.announcesClose = false
        #expect(try await Curl.get(urls[0], urls[1], urls[2]).exit == 0)
    }

    @Test func connectionsAboveTheLimitAreTurnedAway() async throws {
        let gate = Gate()
        var slow = resource
        slow.faults.delivery = .stall(after: 2, gate: gate)
        origin.serve("/slow", slow)
        origin.serve("/a", resource)
        origin.limits = Limits { $0.connections = 1 }
        async let held = Curl.get(origin.url("/slow"))
        #expect(await origin.waitUntil(bodyBytesSent: 2))
        #expect(try await Curl.get(origin.url("/a")).status == 503)
        origin.limits.overflow = .closed(.rst)
        // A reset that early may look like a failure to connect.
        #expect([7, 52, 55, 56].contains(try await Curl.get(origin.url("/a")).exit))
        origin.limits.connections = .max
        origin.limits.concurrentRequests = 1
        #expect(try await Curl.get(origin.url("/a")).status == 503)
        gate.open()
        #expect(try await held.status == 200)
        #expect(origin.peakConnections == 2)
        #expect(origin.peakConcurrentRequests == 2)
        #expect(try await Curl.get(origin.url("/a")).status == 200)
    }

    @Test func aResourceChangesInTurn() async throws {
        origin.serve("/a", inTurn: [resource, Resource(body: .text("world"))], each: 2)
        var bodies: [String] = []
        for _ in 0..<4 { bodies.append(String(decoding: try await Curl.get(origin.url("/a")).body, as: UTF8.self)) }
        #expect(bodies == ["hello", "hello", "world", "world"])
    }

    @Test func handlersSeeTheirPlaceInTheRow() async throws {
        origin.serve("/a") { request in
            request.ordinal < 2 ? .status(429, retryAfter: "5") : .text("\(request.ordinal) \(request.methodOrdinal)")
        }
        #expect(try await Curl.get(origin.url("/a"), "-I").headers.contains("Retry-After: 5\r\n"))
        #expect(try await Curl.get(origin.url("/a")).status == 429)
        #expect(try await Curl.get(origin.url("/a")).body == Array("2 1".utf8))
    }

    @Test func itPlaysTheProxyToo() async throws {
        origin.serve("/a", resource)
        #expect(try await Curl.get("http://example.org/a", "-x", origin.url("")).body == Array("hello".utf8))
        #expect(origin.requests(for: "/a").map(\.target) == ["http://example.org/a"])
    }

    @Test func anOriginEndsWhileItStalls() async throws {
        origin.serve("/hang") { _ in .hang }
        async let hanging = Curl.get(origin.url("/hang"))
        #expect(await origin.waitUntil(requests: 1, for: "/hang"))
        origin.stop()
        #expect(try await hanging.exit == 52)
        #expect(try await Curl.get(origin.url("/hang")).exit == 7)
    }

    @Test func aWaitThatFailsSaysSo() async {
        #expect(await !origin.waitUntil(requests: 1, timeout: .milliseconds(1)))
    }
}
