// What ends a transfer that could go on for ever: refusals that are blamed on others, holds that nobody wakes up from,
// siblings that hang, ranges of a byte each.

import Glibc
import MirrorKit
import MirrorStore
import MirrorTestSupport
import Testing

struct TransferEndTests {
    private static let small = Body.sized(8_000)

    @Test(
        "C083 one URL that is always refused, among many that are served: told after so many requests",
        .timeLimit(.minutes(2)), arguments: [(503, "60"), (429, nil), (403, nil)] as [(Int, String?)])
    func alwaysRefused(row: (status: Int, retryAfter: String?)) async throws {
        let site = try SyncFixture()
        site.origin.serve("/bad") { _ in
            var answer = Answer.status(row.status, retryAfter: row.retryAfter)
            answer.closes = true
            return answer
        }
        site.origin.serveOthers { request in
            let faults = Faults { $0.delivery = .trickle(bytes: 2_000, every: .milliseconds(4)) }
            var answer = Resource.plain(Self.small, faults).answer(to: request)
            // Each request comes over a connection of its own.
            answer.closes = true
            return answer
        }
        let names = ["/bad"] + (0..<200).map { "/\($0)" }
        let report = try await site.sync(names.map { site.origin.url($0) + "\n" }.joined())
        #expect(report.files[0].status == .failed && report.files[0].failure?.status == row.status)
        #expect(report.files.dropFirst().allSatisfy { $0.status == .done })
        #expect(site.origin.requests(for: "/bad").count <= 24)
    }

    @Test(
        "C079 a hold that is too long for one file ends for those that come later", .timeLimit(.minutes(1)),
        arguments: [(600, 900), (10, 12)])
    func longHold(row: (patience: Int, hold: Int)) async throws {
        let site = try SyncFixture()
        let other = try WickedOrigin()
        let clock = site.clock
        site.origin.serveOthers { request in
            request.ordinal == 0
                ? .status(429, retryAfter: "\(row.hold)") : Resource.plain(Self.small).answer(to: request)
        }
        other.serveOthers { request in
            // Time goes on to where others would wait; and when all else is done, to its end.
            if request.ordinal == 0 { clock.advance(by: .seconds(row.hold / 2)) }
            if request.ordinal == 3 { clock.release() }
            return Resource.plain(Self.small).answer(to: request)
        }
        clock.hold(.seconds(row.hold))
        let names = (0..<4).flatMap { [site.origin.url("/a\($0)"), other.url("/b\($0)")] }
        let report = try await site.sync(names.map { $0 + "\n" }.joined()) {
            $0.jobs = 1
            $0.retryMaxTime = .seconds(row.patience)
        }
        #expect(report.files.map(\.status) == [.failed] + Array(repeating: .done, count: 7))
    }

    @Test("C014 cancelled while the last ranges of a split file are waited for", .timeLimit(.minutes(5)))
    func cancelledInTheTail() async throws {
        let site = try SyncFixture()
        let body = Body.sized(512 << 10)
        let gate = Gate()
        site.origin.serve("/a.bin") { request in
            let isRange = request.range != nil
            // The first stream goes on when its siblings have their shares.
            if request.ordinal == 3 { gate.open() }
            let delivery = isRange ? Delivery.stall(after: 1_000) : .stall(after: 32 << 10, gate: gate)
            return Resource.plain(body, Faults { $0.delivery = delivery }).answer(to: request)
        }
        let sync = site.makeSync("\(site.origin.url("/a.bin"))\n") { $0.minimumSplitSize = 64 << 10 }
        async let run = sync.run()
        #expect(await site.origin.waitUntil(requests: 4))
        while sync.progress.bytesFetched < (128 << 10) + 3_000 { await Task.yield() }
        // The first stream is at its end and waits for the others.
        for _ in 0..<50 { await Task.yield() }
        sync.cancel()
        let report = try await run
        #expect(report.files.map(\.status) == [.interrupted])
        #expect(site.partials.count == 1)
    }

    @Test("C026 ranges of a byte each: a few of them, then a plain GET", .timeLimit(.minutes(2)), arguments: [1, 4])
    func tinyRanges(split: Int) async throws {
        let site = try SyncFixture()
        let body = Body.sized(30_000)
        site.origin.serve("/a.bin", .plain(body, Faults { $0.delivery = .cut(after: 20_000) }))
        try await site.sync(paths: "/a.bin") {
            $0.retries = 0
            $0.split = 1
        }
        site.origin.serve("/a.bin", .plain(body, Faults { $0.range = .short(maxBytes: 1) }))
        site.origin.resetLog()
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 1_000
            $0.checksOverlap = false
        }
        site.expect(report, .inLine, Expected("a.bin", "resume done 200 20000-29999", body))
        #expect(site.origin.log.count < 60)
        #expect(site.origin.lines().last == "GET")
    }

    @Test("C060 a chunked body that is shorter than HEAD said, twice: no larger file is replaced by it")
    func shortOfClaim() async throws {
        let body = Body.sized(200_000)
        let faults = Faults {
            $0.head = .length(300_000)
            $0.framing = .chunked
            $0.range = .ignore
        }
        for size: Int64 in [400_000, 100_000] {
            let site = try SyncFixture()
            site.origin.serve("/a.bin", .plain(body, faults))
            let old = Body.sized(size, seed: 9)
            site.put("a.bin", old.allBytes, modified: Resource.seconds(0))
            let report = try await site.sync(paths: "/a.bin")
            if size > body.length {
                site.expect(
                    report, .someFailed,
                    Expected("a.bin", "* failed 200 ** size-mismatch", old, message: "300000", "200000"))
            } else {
                site.expect(
                    report, .inLine,
                    Expected("a.bin", "* done 200 **", body, reason: "the length is not proved: HEAD said 300000"))
            }
        }
    }

    @Test("C052 C058 coded, and ends with its connection: taken, and the report says so")
    func codedCloseDelimited() async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.contentEncoding = "gzip"
            $0.framing = .closeDelimited
        }
        site.origin.serve("/a.bin", .plain(Self.small, faults))
        let report = try await site.sync(paths: "/a.bin")
        site.expect(
            report, .inLine,
            Expected(
                "a.bin", "fetch done 200 **", Self.small,
                reason: "the length is not proved: it ended with the connection"))
    }

    @Test("a file that cannot be read to be hashed is not a wrong one: what came is kept")
    func failedHash() async throws {
        let site = try SyncFixture()
        let body = Body.sized(3 << 20)
        site.origin.serve("/a.bin", .plain(body))
        let sum = String(repeating: "0", count: 64)
        let manifest = "\(site.origin.url("/a.bin"))\n  checksum=sha-256=\(sum)\n"
        let disk = FaultyDisk(.init(kind: "read", when: .from(0), order: .fail(EIO)))
        let report = try await site.makeSync(manifest, calls: disk.calls) { $0.split = 1 }.run()
        #expect(disk.hits > 0)
        #expect(report.lines == ["fetch failed 200 io"])
        #expect(site.origin.log.count == 1 && site.partials.count == 1)
    }

    @Test("what the user gave for one origin does not go to an alternate on another")
    func trustedOptions() async throws {
        let site = try SyncFixture()
        let other = try WickedOrigin()
        site.origin.serve("/a") { _ in .status(404) }
        other.serve("/a", .plain(Self.small))
        let field = try #require(HeaderField(parsing: "X-User: user-secret"))
        let report = try await site.sync("\(site.origin.url("/a"))\t\(other.url("/a"))\n") {
            $0.transport.fields = [field]
            $0.transport.user = "me:password"
        }
        #expect(report.files.map(\.status) == [.done])
        for name in ["X-User", "Authorization"] {
            #expect(site.origin.log.allSatisfy { $0.headers[name] != nil })
            #expect(other.log.allSatisfy { $0.headers[name] == nil })
        }
    }
}
