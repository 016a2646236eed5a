// Clocks that are wrong or jump, and files from other centuries: rules and waits hold.

import MirrorKit
import MirrorTestSupport
import Testing

struct LocalClockTests {
    private static let body = Body.sized(20_000, seed: 70)

    /// A wall clock that shows something else each time it is looked at.
    private static func jumping(_ site: SyncFixture, _ dates: [Int64]) -> RunClock {
        var clock = site.clock.runClock
        let turn = MirrorTestSupport.Locked(0)
        clock.date = {
            let index = turn.withLock { turn in
                turn += 1
                return turn - 1
            }
            return MirrorCore.HTTPDate(seconds: dates[index % dates.count])
        }
        return clock
    }

    private static let now: Int64 = 1_780_272_000
    private static let year: Int64 = 31_536_000

    private static let clocks: [[Int64]] = [
        [now, now - 10 * year], [now, now + 6 * 3_600], [now, now + 100 * year], [0, -1], [-now],
        [2_147_483_647, 2_147_483_648], [4_294_967_295, 4_294_967_296], [now + 80 * year, now - 60 * year],
    ]

    /// The server's own Date tells how long its date is away; ours has no part in it.
    @Test(arguments: clocks) func retryAfterAsADate(_ dates: [Int64]) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a") { request in
            guard request.methodOrdinal == 0 else { return Resource.plain(Self.body).answer(to: request) }
            let sent = Int(Self.now)
            return .status(
                503, retryAfter: MirrorTestSupport.HTTPDate.text(sent + 45),
                headers: ["Date": MirrorTestSupport.HTTPDate.text(sent)])
        }
        let report = try await site.makeSync("\(site.origin.url("/a"))\n", clock: Self.jumping(site, dates)).run()
        #expect(report.lines == ["fetch done 200 0-19999"])
        #expect(site.clock.passed == .seconds(45))
    }

    /// Partial files, records and rules say nothing of what time it is.
    @Test(arguments: clocks) func rules(_ dates: [Int64]) async throws {
        let site = try SyncFixture()
        let clock = Self.jumping(site, dates)
        let large = Body.sized(600_000, seed: 71)
        site.origin.serve("/a", .plain(large, Faults { $0.delivery = .cut(atOffset: 300_000, .fin) }))
        site.origin.serve("/b", .plain(Self.body))
        let manifest = "\(site.origin.url("/a"))\n\(site.origin.url("/b"))\n"
        let first = try await site.makeSync(manifest, clock: clock) { $0.retries = 0 }.run()
        #expect(first.files.map(\.status) == [.failed, .done])
        site.origin.serve("/a", .plain(large))
        let second = try await site.makeSync(manifest, clock: clock).run()
        #expect(second.files.map(\.action) == [.resume, .skip] && second.run.exitCode == .inLine, "\(second.lines)")
        #expect(second.run.seconds >= 0)
        site.origin.serve("/b", .plain(Self.body, version: 2))
        let third = try await site.makeSync(manifest, clock: clock).run()
        #expect(third.files.map(\.action) == [.skip, .replace], "\(third.lines)")
        #expect(site.holds("a", large) && site.holds("b", Self.body))
    }

    /// A file that mirror did not fetch: Last-Modified later than its time means that it has changed.
    @Test(
        arguments: [
            (-1, .replace), (-2_000_000_000, .replace), (0, .replace), (Resource.seconds(1) - 1, .replace),
            (Resource.seconds(1), .skip), (2_147_483_648, .skip), (4_294_967_296, .skip), (10_000_000_000, .skip),
        ] as [(Int, Action)])
    func foreignFiles(_ row: (modified: Int, action: Action)) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        site.put("a", Self.body.allBytes, modified: row.modified)
        #expect(site.modified("a") == row.modified, "the file system cannot keep that time")
        #expect(try await site.file("/a").action == row.action)
        #expect(try await site.file("/a").action == .skip)
    }

    /// Last-Modified of all times: the file gets it as far as the file system can, and is in line then.
    @Test(
        arguments: [
            "Thu, 01 Jan 1960 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT", "Tue, 19 Jan 2038 03:14:08 GMT",
            "Sun, 07 Feb 2106 06:28:16 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT",
            "Fri, 32 Dec 9999 23:59:59 GMT",
        ])
    func lastModified(_ text: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", Resource(body: Self.body, lastModified: text))
        let file = try await site.file("/a")
        #expect(file.status == .done, "\(file.line)")
        #expect(try await site.file("/a").status == .unchanged)
        // Without its record.
        site.removeTree("\(site.directory)/.mirror")
        _ = try await site.file("/a")
        #expect(site.holds("a", Self.body))
    }
}
