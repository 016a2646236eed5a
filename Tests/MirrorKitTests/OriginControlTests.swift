// Origins that serve only so much at once, and say so in every way (class H).

import MirrorKit
import MirrorTestSupport
import Testing

struct OriginControlTests {
    private static func body(_ index: Int) -> Body { .sized(200_000, seed: UInt64(index)) }

    /// Waits count as they would by a true clock: who is served is ready before those who wait ask again.
    private func serveFiles(_ site: SyncFixture, count: Int) -> [String] {
        let origin = site.origin
        site.clock.stand(while: { origin.isAnswering })
        for index in 0..<count {
            let faults = Faults { $0.delivery = .trickle(bytes: 50_000, every: .milliseconds(2)) }
            site.origin.serve("/\(index).zip", .plain(Self.body(index), faults))
        }
        return (0..<count).map { site.origin.url("/\($0).zip") + "\n" }
    }

    private func expectAll(_ site: SyncFixture, _ report: Report, count: Int) {
        #expect(report.run.exitCode == .inLine, "\(report.lines)")
        for index in 0..<count { #expect(site.holds("\(index).zip", Self.body(index))) }
    }

    /// How connections above the limit are met.
    enum Refusal: CaseIterable, Sendable {
        case status503, status429, status403, fin, rst

        var overflow: Limits.Overflow {
            switch self {
            case .status503: .answer(.status(503))
            case .status429: .answer(.status(429))
            case .status403: .answer(.status(403))
            case .fin: .closed(.fin)
            case .rst: .closed(.rst)
            }
        }
    }

    @Test(
        "C083 C084 k connections and no more: what is refused is no failure of the file, not even without retries",
        arguments: Refusal.allCases, [1, 2, 3])
    func connectionLimit(refusal: Refusal, connections: Int) async throws {
        let limits = Limits {
            $0.connections = connections
            $0.overflow = refusal.overflow
        }
        let site = try SyncFixture(limits: limits)
        let lines = serveFiles(site, count: 12)
        let report = try await site.sync(lines.joined()) {
            $0.retries = 0
            $0.minimumSplitSize = 50_000
        }
        expectAll(site, report, count: 12)
        // Each step down costs a refusal, and so does each try whether there is room again.
        #expect(site.origin.log.count < 12 * 12)
    }

    @Test("C083 requests above a limit are refused on connections that stay", arguments: [503, 429], [1, 2, 3])
    func requestLimit(status: Int, requests: Int) async throws {
        let limits = Limits {
            $0.concurrentRequests = requests
            $0.busyAnswer = .status(status)
        }
        let site = try SyncFixture(limits: limits)
        let lines = serveFiles(site, count: 12)
        let report = try await site.sync(lines.joined()) { $0.minimumSplitSize = 50_000 }
        expectAll(site, report, count: 12)
    }

    @Test("files that are really forbidden fail, all of them, and the others are fetched")
    func forbidden() async throws {
        let site = try SyncFixture()
        let lines = serveFiles(site, count: 12)
        for index in 100..<112 { site.origin.serve("/\(index).zip") { _ in .status(403) } }
        let denied = (100..<112).map { site.origin.url("/\($0).zip") + "\n" }
        let report = try await site.sync(zip(lines, denied).map { $0 + $1 }.joined())
        #expect(
            report.files.filter { $0.status == .failed }.map(\.failure?.code) == Array(repeating: .forbidden, count: 12)
        )
        for index in 0..<12 { #expect(site.holds("\(index).zip", Self.body(index))) }
        // Once each, and once more where it came over a new connection while others were served.
        #expect((100..<112).allSatisfy { site.origin.requests(for: "/\($0).zip").count <= 7 })
        #expect(site.origin.log.count < 24 + 12)
    }

    @Test("HEAD that is refused for the number of connections says nothing of the method or the file")
    func refusedProbe() async throws {
        let site = try SyncFixture()
        let lines = serveFiles(site, count: 12)
        #expect(try await site.sync(lines.joined()).run.exitCode == .inLine)
        site.origin.limits = Limits {
            $0.connections = 1
            $0.overflow = .answer(.status(503))
        }
        site.origin.resetLog()
        let report = try await site.sync(lines.joined())
        #expect(report.run.exitCode == .inLine, "\(report.lines)")
        #expect(report.files.allSatisfy { $0.action == .skip })
        #expect(site.origin.log.allSatisfy { $0.method == "HEAD" })
    }

    @Test(
        "a connection that ends just when a request is sent on it: sent again, unnoticed",
        arguments: [Ending.fin, .rst])
    func keepAliveRace(ending: Ending) async throws {
        let site = try SyncFixture()
        let seen = MirrorTestSupport.Locked(Set<Int>())
        site.origin.serveOthers { request in
            let isNew = seen.withLock { $0.insert(request.connection).inserted }
            return isNew ? Resource.plain(Self.body(1)).answer(to: request) : .closed(ending)
        }
        let lines = (0..<20).map { site.origin.url("/\($0).zip") + "\n" }
        let report = try await site.sync(lines.joined()) {
            $0.retries = 0
            $0.transport.connectionsPerHost = 1
        }
        #expect(report.run.exitCode == .inLine, "\(report.files.compactMap(\.failure))")
        #expect(report.totals.retries == 0)
        #expect(site.origin.acceptedConnections == 20)
    }

    @Test(
        "Retry-After in every form that there is, and none: the run ends, the origin is not hammered",
        arguments: [
            ["-1"], ["-99999999999999999999"], [""], [" "], ["1e9"], ["0x10"], ["+5"], ["5 s"], ["NaN"], ["٣"],
            ["Monday, 01-Jun-26 00:00:30 GMT"], ["Mon Jun  1 00:00:30 2026"], ["Mon, 01 Jun 2026 00:00:30"],
            ["Mon, 31 Feb 2026 00:00:30 GMT"], ["Thu, 01 Jan 1970 00:00:00 GMT"], ["Fri, 31 Dec 9999 23:59:59 GMT"],
            ["Fri, 31 Dec 99999 23:59:59 GMT"], ["10", "20"], ["20", "10"], ["soon", "20"], ["20", "soon"],
            ["9223372036854775807"], ["18446744073709551616"], [String(repeating: "9", count: 10_000)],
        ], [429, 503])
    func retryAfter(values: [String], status: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip") { request in
            guard request.ordinal < 2 else { return Resource.plain(Self.body(1)).answer(to: request) }
            var answer = Answer.status(status)
            for value in values { answer.headers.append("Retry-After", value) }
            return answer
        }
        let file = try await site.file("/a.zip")
        if file.status == .done {
            #expect(site.holds("a.zip", Self.body(1)))
            #expect(site.clock.passed >= .milliseconds(750) && site.clock.passed <= .seconds(61))
        } else {
            // Asked to wait for longer than a file is tried.
            #expect(file.failure?.code == .http)
            #expect(site.origin.log.count == 1)
        }
        if values.contains("20") { #expect(file.status != .done || site.clock.passed >= .seconds(20)) }
    }

    @Test("C061 a limit on the way that cuts every answer at the same byte: no six copies of it")
    func sameOffset() async throws {
        let site = try SyncFixture()
        let body = Body.sized(4 << 20)
        site.origin.serve(
            "/a.zip",
            .plain(
                body,
                Faults {
                    $0.range = .ignore
                    $0.delivery = .cut(after: 3 << 20)
                }))
        let file = try await site.file("/a.zip")
        #expect(file.status == .failed && file.failure?.code == .truncated)
        #expect(file.failure?.message.contains("every attempt ends after 3145728 bytes") == true)
        #expect(site.origin.bodyBytesSent <= 3 * 3 << 20)
    }

    @Test("C061 the same limit, where ranges get past it: whole")
    func sameOffsetWithRanges() async throws {
        let site = try SyncFixture()
        let body = Body.sized(4 << 20)
        site.origin.serve("/a.zip", .plain(body, Faults { $0.delivery = .cut(atOffset: 3 << 20) }))
        let file = try await site.file("/a.zip") { $0.split = 1 }
        #expect(file.status == .done && site.holds("a.zip", body))
    }

    @Test("C170 a cache that has another size: asked past it once, then both sizes and the cache are named")
    func staleCache() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.zip") { request in
            var resource = Resource.plain(.sized(1_000))
            resource.headers = ["Age": "86399", "Via": "1.1 cache.example (squid)"]
            return resource.answer(to: request)
        }
        let report = try await site.sync("\(site.origin.url("/a.zip"))\n  size=2000\n")
        #expect(report.files[0].failure?.code == .sizeMismatch)
        let message = try #require(report.files[0].failure?.message)
        for word in ["2000", "1000", "Age: 86399", "Via: 1.1 cache.example (squid)"] { #expect(message.contains(word)) }
        #expect(site.origin.log.map { $0.headers["Cache-Control"] } == [nil, "no-cache"])
    }
}
