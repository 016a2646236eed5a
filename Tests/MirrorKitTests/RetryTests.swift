// Retries, Retry-After, deadlines (classes H and P). The clock is handed in: a delay is what was asked for, and the time
// at which a request came is what the clock said.

import MirrorKit
import MirrorTestSupport
import Testing

struct RetryTests {
    private static let body = Body.sized(10_000)

    /// When requests came, by the run's clock.
    private final class Times: Sendable {
        private let times = MirrorTestSupport.Locked([Duration]())
        func add(_ time: Duration) { times.withLock { $0.append(time) } }
        var all: [Duration] { times.read { $0 } }
    }

    /// A path that fails so many times and then works; what time it was for each request.
    private func serve(
        _ site: SyncFixture, _ path: String, failures: Int, _ answer: @escaping @Sendable () -> Answer
    ) -> Times {
        let times = Times()
        let clock = site.clock
        site.origin.serve(path) { request in
            times.add(clock.passed)
            return request.ordinal < failures ? answer() : Resource.plain(Self.body).answer(to: request)
        }
        return times
    }

    @Test(
        "retried: backoff doubles, with half of each step by the clock's chance",
        arguments: [408, 429, 500, 502, 503, 504])
    func backoff(status: Int) async throws {
        let site = try SyncFixture()
        let times = serve(site, "/a", failures: 4) { .status(status) }
        let file = try await site.file("/a")
        #expect(file.status == .done && file.attempts == 5 && file.retries == 4)
        #expect(site.holds("a", Self.body))
        #expect(times.all == [0, 250, 750, 1_750, 3_750].map { .milliseconds($0) })
    }

    @Test(
        "not retried",
        arguments: [
            (400, FailureCode.http), (401, .unauthorized), (403, .forbidden), (404, .notFound), (405, .http),
            (410, .notFound),
            (451, .http), (501, .http), (505, .http),
        ])
    func notRetried(status: Int, code: FailureCode) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a") { _ in .status(status) }
        let report = try await site.sync(paths: "/a")
        #expect(report.lines == ["fetch failed \(status) \(code.rawValue)"])
        #expect(report.files[0].attempts == 1)
        #expect(report.run.exitCode == .someFailed)
        #expect(site.origin.lines() == ["GET"])
        #expect(site.clock.sleeps == [])
    }

    @Test("retries are counted", arguments: [0, 1, 5])
    func exhausted(retries: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a") { _ in .status(503) }
        let file = try await site.file("/a") { $0.retries = retries }
        #expect(file.line == "fetch failed 503 http")
        #expect(site.origin.log.count == retries + 1)
    }

    @Test("progress resets the count")
    func progressResets() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.sized(1_000_000), Faults { $0.delivery = .cut(after: 50_000, .rst) }))
        let file = try await site.file("/a") {
            $0.retries = 1
            $0.split = 1
        }
        #expect(file.status == .done && file.attempts == 20)
        #expect(site.clock.sleeps.allSatisfy { $0 == .milliseconds(250) })
    }

    @Test(
        "C079 C081 Retry-After on 429 and 503: nothing goes to the origin before it is over", arguments: [429, 503],
        [
            ("120", 120_000), ("0", 250), ("1", 1_000), ("", 250), ("soon", 250), ("-5", 250), ("1.5", 250),
            ("99999999999999999999", nil), ("Mon, 01 Jun 2026 00:01:30 GMT", 90_000),
            ("Sun, 31 May 2026 23:59:59 GMT", 250), ("Monday, 01-Jun-26 00:00:30 GMT", 30_000), ("86400", nil),
        ] as [(String, Int?)])
    func retryAfter(status: Int, row: (text: String, milliseconds: Int?)) async throws {
        let site = try SyncFixture()
        let times = serve(site, "/a", failures: 1) {
            .status(status, retryAfter: row.text, headers: ["Date": "Mon, 01 Jun 2026 00:00:00 GMT"])
        }
        let file = try await site.file("/a")
        if let wait = row.milliseconds {
            #expect(file.status == .done)
            #expect(times.all == [.zero, .milliseconds(wait)])
        } else {
            // Longer than --retry-max-time: given up.
            #expect(file.line == "fetch failed \(status) http")
            #expect(times.all == [.zero])
        }
    }

    @Test("C082 Retry-After: 0 on every answer does not undo the backoff")
    func alwaysZero() async throws {
        let site = try SyncFixture()
        let times = serve(site, "/a", failures: 9) { .status(503, retryAfter: "0") }
        #expect(try await site.file("/a").status == .failed)
        #expect(times.all == [0, 250, 750, 1_750, 3_750, 7_750].map { .milliseconds($0) })
    }

    @Test("429 holds all files of the origin, and none of another")
    func holdsTheOrigin() async throws {
        let site = try SyncFixture()
        let other = try WickedOrigin()
        let times = Times()
        let others = Times()
        let clock = site.clock
        other.serveOthers { request in
            others.add(clock.passed)
            return Resource.plain(Self.body).answer(to: request)
        }
        site.origin.serveOthers { request in
            times.add(clock.passed)
            return request.ordinal == 0
                ? .status(429, retryAfter: "300") : Resource.plain(Self.body).answer(to: request)
        }
        clock.hold(.seconds(300))
        let names = (0..<10).map { site.origin.url("/a\($0)") } + [other.url("/b")]
        let sync = site.makeSync(names.map { $0 + "\n" }.joined()) { $0.transport.connectionsPerHost = 1 }
        async let run = sync.run()
        #expect(await other.waitUntil(requests: 1))
        // Time stands still: a request that does not wait for it comes within milliseconds.
        #expect(await !site.origin.waitUntil(requests: 2, timeout: .milliseconds(200)))
        clock.release()
        let report = try await run
        #expect(report.run.exitCode == .inLine)
        #expect(times.all.count == 11)
        #expect(times.all.dropFirst().allSatisfy { $0 >= .seconds(300) })
        #expect(others.all.count == 1)
    }

    @Test("429 halves the connections of the origin; they recover one by one")
    func halves() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        let origin = site.origin
        origin.serveOthers { [weak origin] request in
            switch request.ordinal {
            case 0..<7: return Answer.status(429, after: gate)
            case 7:
                gate.open()
                return .status(429)
            // The eight are answered, and this is the first that was let through.
            case 8: origin?.resetLog()
            default: break
            }
            return Resource.plain(Self.body, Faults { $0.delivery.delay = .milliseconds(20) }).answer(to: request)
        }
        let names = (0..<8).map { origin.url("/\($0)") + "\n" }.joined()
        let report = try await site.sync(names) { $0.transport.connectionsPerHost = 8 }
        #expect(report.run.exitCode == .inLine)
        #expect(report.totals.retries == 8)
        // One at first; a second after 1 good answer, a third after 2 more, a fourth after 3 more.
        #expect(origin.log.count == 7)
        #expect(origin.peakConcurrentRequests <= 4)
    }

    @Test("C086 --retry-max-time bounds all retries of a file together", arguments: [1, 10, 100])
    func retryMaxTime(seconds: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a") { _ in .status(503) }
        let file = try await site.file("/a") {
            $0.retries = 1_000
            $0.retryMaxTime = .seconds(seconds)
        }
        #expect(file.status == .failed)
        #expect(site.clock.passed <= .seconds(seconds))
        #expect(site.clock.passed > .seconds(seconds) / 4)
    }

    @Test("nobody listens: retried, then `connect`; other origins are served")
    func refusedConnection() async throws {
        let site = try SyncFixture()
        let dead = try DeadPort()
        site.origin.serve("/b", .plain(Self.body))
        let report = try await site.sync("\(dead.url("/a"))\n\(site.origin.url("/b"))\n")
        #expect(report.files.map(\.status) == [.failed, .done])
        #expect(report.files[0].failure?.code == .connect)
        #expect(report.files[0].attempts == 6)
    }

    @Test("a name that does not exist is `resolve`")
    func unknownName() async throws {
        let site = try SyncFixture()
        let report = try await site.sync("http://no-such-host.invalid/a\n") { $0.retries = 1 }
        #expect(report.files[0].failure?.code == .resolve)
        #expect(report.files[0].attempts == 2)
    }

    @Test("C160 an answer that never begins is a timeout")
    func hang() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a") { _ in .hang }
        let file = try await site.file("/a") {
            $0.retries = 0
            $0.transport.stallTimeout = .seconds(1)
        }
        #expect(file.line == "fetch failed timeout")
    }

    @Test("--max-time ends the run in good order: exit 3, what is there is kept")
    func maxTime() async throws {
        let site = try SyncFixture()
        let body = Body.sized(2 << 20)
        site.origin.serve("/a.bin", .plain(body, Faults { $0.delivery = .stall(after: 1 << 20) }))
        site.clock.hold(.seconds(77))
        let sync = site.makeSync("\(site.origin.url("/a.bin"))\n") {
            $0.maxTime = .seconds(77)
            $0.split = 1
        }
        async let run = sync.run()
        while sync.progress.bytesFetched < 1 << 20 { await Task.yield() }
        site.clock.release()
        let report = try await run
        #expect(report.files[0].status == .interrupted)
        #expect(report.run.exitCode == .endedEarly)
        #expect(!site.exists("a.bin"))
        site.origin.serve("/a.bin", .plain(body))
        let file = try await site.file("/a.bin")
        #expect(file.action == .resume && file.bytesReused == 1 << 20)
        #expect(site.holds("a.bin", body))
    }

    @Test("a run that ends in time is not cut by --max-time")
    func maxTimeNotReached() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        site.clock.hold(.seconds(77))
        let report = try await site.sync(paths: "/a.bin") { $0.maxTime = .seconds(77) }
        #expect(report.run.exitCode == .inLine && !report.run.isInterrupted)
    }

    @Test("retries exhausted: the partial file stays")
    func keepsPartial() async throws {
        let site = try SyncFixture()
        let body = Body.sized(500_000)
        site.origin.serve("/a.bin") { request in
            request.ordinal == 0
                ? Resource.plain(body, Faults { $0.delivery = .cut(after: 300_000) }).answer(to: request) : .status(503)
        }
        let file = try await site.file("/a.bin") { $0.split = 1 }
        #expect(file.status == .failed && file.failure?.code == .http)
        #expect(site.partials.count == 1)
        site.origin.serve("/a.bin", .plain(body))
        #expect(try await site.file("/a.bin").bytesReused == 300_000)
        #expect(site.holds("a.bin", body))
    }
}

extension Answer {
    /// A status that is not sent before the gate opens.
    fileprivate static func status(_ status: Int, after gate: Gate) -> Answer {
        var answer = Answer.status(status)
        answer.delivery = Delivery(hold: .init(at: .head(0), gate: gate))
        return answer
    }
}
