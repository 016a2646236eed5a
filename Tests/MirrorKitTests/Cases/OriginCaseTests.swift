// Classes H and P of the failure cases: servers that want less, and servers that fall silent.

import MirrorKit
import MirrorTestSupport
import Testing

struct OriginCaseTests {
    private static let body = Body.sized(300_000)

    @Test(
        "C079 C081 Retry-After as date, seconds or nonsense: waited for where it can be read, done in the end",
        arguments: [429, 503],
        [
            ("Mon, 01 Jun 2026 00:01:30 GMT", 90_000), ("Monday, 01-Jun-26 00:00:30 GMT", 30_000),
            ("Mon Jun  1 00:00:20 2026", 20_000), ("Sun, 31 May 2026 23:59:59 GMT", 250), ("7", 7_000), ("", 250),
            ("-5", 250), ("soon", 250),
        ])
    func retryAfter(status: Int, row: (text: String, wait: Int)) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { request in
            let date = "Mon, 01 Jun 2026 00:00:00 GMT"
            return request.ordinal == 0
                ? .status(status, retryAfter: row.text, headers: ["Date": date])
                : Resource.plain(Self.body).answer(to: request)
        }
        let report = try await site.sync(paths: "/a.bin")
        site.expect(report, .inLine, Expected("a.bin", "fetch done 200 0-299999", Self.body))
        #expect(site.clock.passed == .milliseconds(row.wait))
        #expect(report.files[0].retries == 1 && report.totals.retries == 1)
    }

    @Test(
        "C079 a date in the year 2027, or a day: nobody waits so long, and the report says what is asked",
        arguments: [
            "Fri, 31 Dec 2027 23:59:59 GMT", "86400",
        ])
    func longRetryAfter(text: String) async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { _ in .status(503, retryAfter: text) }
        let report = try await site.sync(paths: "/a.bin", "/b.bin") { $0.transport.connectionsPerHost = 1 }
        site.expect(
            report, .someFailed, Expected("a.bin", "fetch failed 503 http", nil),
            Expected("b.bin", "fetch failed http", nil, message: "left alone for 86400 s"))
        // Once the origin has said so, it is left alone.
        #expect(site.origin.log.count == 1)
    }

    @Test(
        "C082 Retry-After of 0 or 1 on every answer: the own backoff goes on growing",
        arguments: [("0", 7_750), ("1", 9_000)])
    func shortRetryAfter(text: String, total: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { _ in .status(429, retryAfter: text) }
        let report = try await site.sync(paths: "/a.bin")
        site.expect(report, .someFailed, Expected("a.bin", "fetch failed 429 http", nil, message: "fewer requests"))
        #expect(site.origin.log.count == 6)
        #expect(site.clock.passed >= .milliseconds(total))
    }

    @Test(
        "C083 k connections for all files and ranges: everything in the end, no part given up", arguments: [1, 2],
        [429, 503])
    func connectionLimit(connections: Int, status: Int) async throws {
        let site = try SyncFixture(
            limits: Limits {
                $0.concurrentRequests = connections
                $0.busyAnswer = .status(status)
            })
        let paths = (0..<6).map { "/\($0).bin" }
        for path in paths { site.origin.serve(path, .plain(Self.body)) }
        let report = try await site.sync(paths.map { site.origin.url($0) + "\n" }.joined()) {
            $0.minimumSplitSize = 64 << 10
            $0.retries = 20
        }
        #expect(report.run.exitCode == .inLine)
        #expect(report.files.allSatisfy { $0.status == .done && $0.remoteSize == 300_000 })
        #expect((0..<6).allSatisfy { site.holds("\($0).bin", Self.body) })
        #expect(report.totals.bytesFetched < 6 * 300_000 * 2)
        #expect(site.partials == [])
    }

    @Test("C083 refused ranges of one file: the stream that is served brings the rest", arguments: [403, 429, 503])
    func refusedRanges(status: Int) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        site.origin.serve("/a.bin") { request in
            guard request.range == nil else {
                gate.open()
                return .status(status)
            }
            return Resource.plain(Self.body, Faults { $0.delivery = .stall(after: 50_000, gate: gate) }).answer(
                to: request)
        }
        let report = try await site.sync(paths: "/a.bin") { $0.minimumSplitSize = 32 << 10 }
        site.expect(report, .inLine, Expected("a.bin", "fetch done * 0-299999", Self.body))
    }

    @Test(
        "C084 two of eight connections served, the others closed: whole by coverage, or not at all",
        arguments: [Ending.fin, .rst])
    func closedConnections(ending: Ending) async throws {
        let site = try SyncFixture(
            limits: Limits {
                $0.connections = 2
                $0.overflow = .closed(ending)
            })
        let gate = Gate()
        let body = Body.sized(4 << 20)
        site.origin.serve("/a.bin") { request in
            let isFirst = request.range == nil && request.ordinal == 0
            if !isFirst { gate.open() }
            let delivery = isFirst ? Delivery.stall(after: 100_000, gate: gate) : .plain
            return Resource.plain(body, Faults { $0.delivery = delivery }).answer(to: request)
        }
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = 8
            $0.transport.connectionsPerHost = 8
            $0.minimumSplitSize = 128 << 10
        }
        site.expect(report, .inLine, Expected("a.bin", "fetch done * 0-4194303", body))
    }

    @Test("C086 a server that never answers: --max-time ends the run, however many retries are left")
    func neverAnswers() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { _ in .hang }
        site.clock.hold(.seconds(10))
        let sync = site.makeSync("\(site.origin.url("/a.bin"))\n\(site.origin.url("/b.bin"))\n") {
            $0.maxTime = .seconds(10)
            $0.retries = 5
        }
        async let run = sync.run()
        #expect(await site.origin.waitUntil(requests: 2))
        site.clock.release()
        site.expect(
            try await run, .endedEarly, Expected("a.bin", "fetch interrupted", nil),
            Expected("b.bin", "fetch interrupted", nil))
    }

    @Test(
        "C160 silence before the head, in it, and after 99 % of the body: given up, and then gone on",
        arguments: [
            Delivery.Point.head(0), .head(30), .body(0), .body(297_000),
        ], [1, 4])
    func silence(point: Delivery.Point, split: Int) async throws {
        let site = try SyncFixture()
        var resource = Resource.plain(Self.body, Faults { $0.delivery = Delivery(hold: .init(at: point)) })
        resource.faultyRequests = 1
        site.origin.serve("/a.bin", resource)
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 64 << 10
            $0.transport.stallTimeout = .seconds(1)
        }
        site.expect(report, .inLine, Expected("a.bin", "fetch done * 0-299999", Self.body))
    }

    @Test("C160 silence for ever: a timeout, and what came is kept")
    func silenceForEver() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .stall(after: 100_000) }))
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = 1
            $0.retries = 0
            $0.transport.stallTimeout = .seconds(1)
        }
        site.expect(report, .someFailed, partials: 1, Expected("a.bin", "fetch failed 200 timeout", nil))
    }

    @Test("C161 one range of four falls silent: its rest is asked for again, nothing else is lost")
    func oneSilentRange() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        let silent = MirrorTestSupport.Locked(0)
        site.origin.serve("/a.bin") { request in
            guard request.range != nil else {
                let faults = Faults { $0.delivery = .stall(after: 20_000, gate: gate) }
                return Resource.plain(Self.body, faults).answer(to: request)
            }
            let turn = silent.withLock { count in
                count += 1
                return count
            }
            if turn == 3 { gate.open() }
            let faults = Faults { if turn == 2 { $0.delivery = .stall(after: 20_000) } }
            return Resource.plain(Self.body, faults).answer(to: request)
        }
        let report = try await site.sync(paths: "/a.bin") {
            $0.minimumSplitSize = 64 << 10
            $0.transport.stallTimeout = .seconds(1)
        }
        site.expect(report, .inLine, Expected("a.bin", "fetch done * 0-299999", Self.body))
        #expect(report.files[0].bytesFetched < 300_000 + 10 * (16 << 10) + 64_000)
    }
}
