// How TLS begins and ends, and how it must not (class Q).

import MirrorKit
import MirrorTestSupport
import Testing

struct TLSTests {
    private static let body = Body.sized(1_000_000)

    private func sync(
        _ site: SyncFixture, _ front: TLSFront, host: String = "localhost",
        _ change: (inout SyncOptions) -> Void = { _ in }
    ) async throws -> FileReport {
        let report = try await site.sync("\(front.url("/a.zip", host: host))\n") {
            $0.transport.caFile = front.certificate
            change(&$0)
        }
        return try #require(report.files.first)
    }

    @Test("C166 no close_notify, and all the bytes that Content-Length says: whole at once", arguments: [true, false])
    func bareEndWithLength(isNotified: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip") { request in
            var answer = Resource.plain(Self.body).answer(to: request)
            answer.closes = true
            return answer
        }
        let front = try TLSFront(http1: site.origin.port, goodbye: isNotified ? .notified : .bare)
        let file = try await sync(site, front) { $0.retries = 0 }
        #expect(file.status == .done && file.attempts == 1, "\(file.failure?.message ?? "")")
        #expect(site.holds("a.zip", Self.body))
    }

    @Test("C166 no close_notify where nothing else tells the end: held against what HEAD says")
    func bareEndWithoutLength() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip") { request in
            var answer = Resource.plain(Self.body, Faults { $0.framing = .closeDelimited }).answer(to: request)
            if request.method == "GET" { answer.delivery = .cut(after: 400_000) }
            return answer
        }
        let front = try TLSFront(http1: site.origin.port, goodbye: .bare)
        let file = try await sync(site, front) { $0.retries = 2 }
        #expect(file.status == .failed && file.failure?.code == .truncated)
        #expect(!site.exists("a.zip"))
    }

    @Test(
        "C166 no close_notify, and nobody knows the length: cut or whole, it is `truncated`, and the old file stays",
        arguments: [0, 400_000, 1_000_000] as [Int64], [true, false])
    func bareEndUnproved(bytes: Int64, hasOld: Bool) async throws {
        let site = try SyncFixture()
        let old = Body.sized(1_500_000, seed: 9)
        if hasOld { site.put("a.zip", old.allBytes, modified: 1_000) }
        site.origin.serve("/a.zip") { request in
            var answer = Resource.plain(
                Self.body,
                Faults {
                    $0.framing = .closeDelimited
                    $0.head = .noLength
                    $0.range = .ignore
                }
            ).answer(to: request)
            if request.method == "GET", bytes < Self.body.length { answer.delivery = .cut(after: bytes) }
            return answer
        }
        let front = try TLSFront(http1: site.origin.port, goodbye: .bare)
        let file = try await sync(site, front) { $0.retries = 1 }
        #expect(file.status == .failed && file.failure?.code == .truncated, "\(file.failure?.message ?? "")")
        #expect(hasOld ? site.holds("a.zip", old) : !site.exists("a.zip"))
    }

    @Test("C166 close_notify, and nobody knows the length: taken, and said to be unproved", arguments: [true, false])
    func notifiedEnd(isWhole: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip") { request in
            var answer = Resource.plain(
                Self.body,
                Faults {
                    $0.framing = .closeDelimited
                    $0.head = .noLength
                }
            ).answer(to: request)
            if request.method == "GET", !isWhole { answer.delivery = .cut(after: 0) }
            return answer
        }
        let front = try TLSFront(http1: site.origin.port, goodbye: .notified)
        let file = try await sync(site, front) { $0.retries = 0 }
        #expect(file.status == .done, "\(file.failure?.message ?? "")")
        #expect(file.reason.contains("not proved"))
        #expect(site.bytes("a.zip")?.count == (isWhole ? 1_000_000 : 0))
    }

    @Test("C166 no close_notify, no length, and all that HEAD says: whole")
    func bareEndProved() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip", .plain(Self.body, Faults { $0.framing = .closeDelimited }))
        let front = try TLSFront(http1: site.origin.port, goodbye: .bare)
        let file = try await sync(site, front) { $0.retries = 0 }
        #expect(file.status == .done && site.holds("a.zip", Self.body), "\(file.failure?.message ?? "")")
        #expect(!file.reason.contains("not proved"))
    }

    @Test("chunked, whole, no close_notify: whole")
    func bareEndChunked() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip") { request in
            var answer = Resource.plain(Self.body, Faults { $0.framing = .chunked }).answer(to: request)
            answer.closes = true
            return answer
        }
        let front = try TLSFront(http1: site.origin.port, goodbye: .bare)
        let file = try await sync(site, front) { $0.retries = 0 }
        #expect(file.status == .done && site.holds("a.zip", Self.body))
    }

    @Test("the connection ends within a record: gone on with", arguments: [Ending.fin, .rst])
    func withinRecord(ending: Ending) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip", .plain(Self.body))
        let front = try TLSFront(http1: site.origin.port, goodbye: .withinRecord(after: 300_000, ending))
        let file = try await sync(site, front) { $0.split = 1 }
        #expect(file.status == .done && site.holds("a.zip", Self.body))
        #expect(file.attempts == 4)
    }

    @Test("a handshake that is cut off is tried again", arguments: [Ending.fin, .rst])
    func cutHandshake(ending: Ending) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip", .plain(Self.body))
        let front = try TLSFront(
            http1: site.origin.port, greetings: [.closed(ending), .closed(ending), .handshake])
        let file = try await sync(site, front)
        #expect(file.status == .done && site.holds("a.zip", Self.body))
        #expect(file.attempts == 3)
    }

    @Test("a handshake that never ends: given up after the connect timeout, and tried again")
    func hangingHandshake() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip", .plain(Self.body))
        let front = try TLSFront(http1: site.origin.port, greetings: [.hang, .handshake])
        let file = try await sync(site, front) { $0.transport.connectTimeout = .milliseconds(300) }
        #expect(file.status == .done && file.attempts == 2)
    }

    @Test(
        "a certificate for another name, of the past, of the future, of nobody: `tls`, once and no more",
        arguments: [
            TLSFront.Certificate { $0.names = "DNS:other.example" },
            TLSFront.Certificate { $0.validity = (-7_200, -3_600) },
            TLSFront.Certificate { $0.validity = (3_600, 7_200) },
            TLSFront.Certificate(),
        ])
    func badCertificate(certificate: TLSFront.Certificate) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip", .plain(Self.body))
        let front = try TLSFront(http1: site.origin.port, certificate)
        let isTrusted = certificate.names != "DNS:localhost,IP:127.0.0.1" || certificate.validity.first != -3_600
        let file = try await sync(site, front) { if !isTrusted { $0.transport.caFile = nil } }
        #expect(file.line == "fetch failed tls", "\(file.failure?.message ?? "")")
        #expect(file.attempts == 1 && front.acceptedConnections == 1)
        #expect(site.origin.log.isEmpty && site.clock.sleeps.isEmpty)
        #expect(try await sync(site, front) { $0.transport.isInsecure = true }.status == .done)
    }
}
