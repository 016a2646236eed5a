// Class A of the failure cases: resuming after the remote file changed, and records that are wrong. Each case is played
// as it was reported, and a run is held against disk, exit code and report together.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct ResumeCaseTests {
    private static let old = Resource.seconds(1)
    private static let body = Body.sized(500_000)
    private static let other = Body.sized(500_000, seed: 2)

    /// Leaves a partial file of the first bytes of `/a.bin`, and an origin whose log is empty.
    private func makePartial(_ site: SyncFixture, _ resource: Resource, of bytes: Int64) async throws {
        var cut = resource
        cut.faults.delivery = .cut(after: bytes)
        site.origin.serve("/a.bin", cut)
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = 1
            $0.retries = 0
        }
        site.expect(report, .someFailed, partials: 1, Expected("a.bin", "fetch failed 200 truncated", nil))
        site.origin.resetLog()
    }

    enum Before: Sendable, CaseIterable { case older, sameTime, later, recorded }

    @Test(
        "C001 v1 of 1000 bytes, v2 of 1200 others: never the tail glued to the old file", arguments: Before.allCases,
        [1, 4])
    func oldVersion(before: Before, split: Int) async throws {
        let site = try SyncFixture()
        let first = Body.bytes(Array(repeating: 0x61, count: 1_000))
        let second = Body.bytes(Array(repeating: 0x62, count: 1_200))
        switch before {
        case .older: site.put("a.bin", first.allBytes, modified: Self.old)
        case .sameTime: site.put("a.bin", first.allBytes, modified: Resource.seconds(2))
        case .later: site.put("a.bin", first.allBytes, modified: Resource.seconds(3))
        case .recorded:
            site.origin.serve("/a.bin", .plain(first))
            try await site.sync(paths: "/a.bin")
        }
        site.origin.serve("/a.bin", .plain(second, version: 2))
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 100
        }
        let isResumed = before == .sameTime || before == .later
        site.expect(
            report, .inLine,
            isResumed
                ? Expected("a.bin", "resume done 200 1000-1199", second, reason: "begun again: overlap mismatch")
                : Expected("a.bin", "replace done 200 0-1199", second))
        #expect(report.files[0].bytesReused == 0)
        site.expect(try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "skip unchanged 200 none", second))
    }

    @Test("C001 --size-only looks at no date, and still proves what it goes on from")
    func oldVersionBySize() async throws {
        let site = try SyncFixture()
        site.put("a.bin", Array(repeating: 0x61, count: 1_000), modified: Self.old)
        let second = Body.bytes(Array(repeating: 0x62, count: 1_200))
        site.origin.serve("/a.bin", .plain(second, version: 2))
        let report = try await site.sync(paths: "/a.bin") { $0.sizeOnly = true }
        site.expect(
            report, .inLine, Expected("a.bin", "resume done 200 1000-1199", second, reason: "overlap mismatch"))
    }

    @Test("C003 another version in every answer: one of them in the end, whole, after a bounded number of requests")
    func alwaysAnotherVersion() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { request in
            let body = Body.sized(4 << 20, seed: UInt64(request.ordinal))
            let delivery = request.range == nil ? Delivery.rate(bytesPerSecond: 40 << 20) : .plain
            return Resource.plain(body, version: request.ordinal, Faults { $0.delivery = delivery }).answer(to: request)
        }
        let report = try await site.sync(paths: "/a.bin") { $0.minimumSplitSize = 512 << 10 }
        // Whichever it is, the last request may be one that was given up.
        let kept = try #require(site.origin.log.map(\.request.ordinal).first { report.files[0].etag == "\"v\($0)\"" })
        site.expect(
            report, .inLine,
            Expected("a.bin", "fetch done 200 0-4194303", .sized(4 << 20, seed: UInt64(kept))))
        #expect(site.origin.log.count < 20)
    }

    enum Known: Sendable, CaseIterable { case all, dateOnly, nothing }

    @Test("C004 206 XYZ to a stale If-Range: abcXYZ is never made", arguments: Known.allCases, [true, false])
    func ignoredIfRange(known: Known, isSeenByHead: Bool) async throws {
        let site = try SyncFixture()
        func resource(_ text: String, _ version: Int) -> Resource {
            var resource = Resource.plain(.text(text), version: version, Faults { $0.ifRange = .ignored })
            if known != .all { resource.etag = nil }
            if known == .nothing { resource.lastModified = nil }
            return resource
        }
        let (first, second) = (resource("abcdef", 1), resource("UVWXYZ", 2))
        try await makePartial(site, first, of: 3)
        site.origin.serve("/a.bin") { request in
            (request.method == "HEAD" && !isSeenByHead ? first : second).answer(to: request)
        }
        let report = try await site.sync(paths: "/a.bin")
        site.expect(report, .inLine, Expected("a.bin", "* done 200 *", .text("UVWXYZ")))
        #expect(report.files[0].bytesReused == 0)
    }

    @Test("C004 the same with a short file that somebody left", arguments: [true, false])
    func ignoredIfRangeForeign(hasDate: Bool) async throws {
        let site = try SyncFixture()
        site.put("a.bin", Array("abc".utf8), modified: Self.old)
        var resource = Resource.plain(.text("UVWXYZ"), Faults { $0.ifRange = .ignored })
        resource.etag = nil
        if !hasDate { resource.lastModified = nil }
        site.origin.serve("/a.bin", resource)
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine,
            Expected("a.bin", "resume done 200 3-5", .text("UVWXYZ"), reason: "overlap mismatch"))
    }

    @Test("C007 a weak ETag that stays while the bytes change: not spliced, never sent in If-Range", arguments: [1, 4])
    func weakTag(split: Int) async throws {
        let site = try SyncFixture()
        func resource(_ body: Body) -> Resource {
            Resource(
                body: body, etag: "W/\"6-15521ebc6bc\"", faults: Faults { $0.ifRange = .weakComparison })
        }
        try await makePartial(site, resource(Self.body), of: 250_000)
        site.origin.serve("/a.bin", resource(Self.other))
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 50_000
        }
        site.expect(
            report, .inLine,
            Expected("a.bin", "resume done 200 250000-499999", Self.other, reason: "begun again: overlap mismatch"))
        #expect(site.origin.log.allSatisfy { $0.headers["If-Range"] == nil })
    }

    @Test("C008 another URL, smaller, larger or as large, for the same target", arguments: [100_000, 500_000, 900_000])
    func otherURL(size: Int64) async throws {
        let site = try SyncFixture()
        try await makePartial(site, .plain(Self.body), of: 250_000)
        let other = Resource.plain(.sized(size, seed: 3))
        site.origin.serve("/other.bin", other)
        let report = try await site.sync("\(site.origin.url("/other.bin"))\n  out=a.bin\n")
        site.expect(report, .inLine, Expected("a.bin", "fetch done 200 0-\(size - 1)", other.body, reason: "missing"))
        #expect(report.files[0].bytesReused == 0)
    }

    @Test("C009 half a file under the final name and no record: completed, not taken for whole", arguments: [1, 4])
    func halfUnderFinalName(split: Int) async throws {
        let site = try SyncFixture()
        site.put("a.bin", Self.body.bytes(in: 0..<250_000))
        site.origin.serve("/a.bin", .plain(Self.body))
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 50_000
        }
        site.expect(report, .inLine, Expected("a.bin", "resume done 206 250000-499999", Self.body))
        #expect(report.files[0].bytesReused == 250_000)
    }

    enum Damage: String, Sendable, CaseIterable {
        case noPart, shortPart, zeroPart, longPart, noState, emptyState, zeroState, tornState, textState
    }

    @Test(
        "C009 C010 C011 C012 part or record missing, short, empty, torn or zero: right bytes, exit 0",
        arguments: Damage.allCases)
    func damage(_ damage: Damage) async throws {
        let site = try SyncFixture()
        try await makePartial(site, .plain(Self.body), of: 450_000)
        let part = "\(site.directory)/.mirror/partial/\(try #require(site.partials.first))"
        let state = "\(site.directory)/.mirror/state.sqlite"
        let bytes = try #require(SyncFixture.read(state))
        switch damage {
        case .noPart: unlink(part)
        case .shortPart: truncate(part, 50_000)
        case .zeroPart: site.write(Array(repeating: 0, count: 450_000), to: part)
        case .longPart: truncate(part, 1_000_000)
        case .noState: for end in ["", "-wal", "-shm"] { unlink(state + end) }
        case .emptyState: replace(site, state, [])
        case .zeroState: replace(site, state, Array(repeating: 0, count: bytes.count))
        case .tornState: replace(site, state, Array(bytes[..<(bytes.count / 2)]))
        case .textState: replace(site, state, Array("no database".utf8))
        }
        site.origin.serve("/a.bin", .plain(Self.body))
        site.expect(try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "* done * *", Self.body))
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "skip unchanged 200 none", Self.body))
    }

    private func replace(_ site: SyncFixture, _ path: String, _ bytes: [UInt8]) {
        for end in ["", "-wal", "-shm"] { unlink(path + end) }
        site.write(bytes, to: path)
    }

    @Test("C012 the last range came first and the rest never: a part file of full size is not complete")
    func fullSizeWithHole() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        site.origin.serve("/a.bin") { request in
            guard request.range == nil else { return Resource.plain(Self.body).answer(to: request) }
            let delivery = Delivery(hold: .init(at: .body(50_000), gate: gate), cut: .init(at: .body(60_000)))
            return Resource.plain(Self.body, Faults { $0.delivery = delivery }).answer(to: request)
        }
        let sync = site.makeSync("\(site.origin.url("/a.bin"))\n") {
            $0.split = 2
            $0.minimumSplitSize = 200_000
        }
        async let run = sync.run()
        // All of the last range, and not the first.
        #expect(
            await site.origin.waitUntil { log in log.contains { $0.headers["Range"] != nil && $0.outcome == .complete }
            })
        sync.cancel()
        let ended = try await run
        gate.open()
        site.expect(ended, .endedEarly, partials: 1, Expected("a.bin", "fetch interrupted **", nil))
        site.origin.serve("/a.bin", .plain(Self.body))
        let report = try await site.sync(paths: "/a.bin")
        site.expect(report, .inLine, Expected("a.bin", "resume done 206 *", Self.body))
        #expect(report.files[0].bytesReused >= 200_000)
    }

    @Test("C014 cut after every tenth, in one run and in ten", arguments: [Ending.fin, .rst], [true, false])
    func tenTimes(ending: Ending, inOneRun: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: 66_400, ending) }))
        var runs = 0
        var report: Report
        repeat {
            report = try await site.sync(paths: "/a.bin") {
                $0.split = 1
                $0.retries = inOneRun ? 5 : 0
            }
            runs += 1
            if report.run.exitCode == .someFailed {
                site.expect(report, .someFailed, partials: 1, Expected("a.bin", "* failed * **", nil))
            }
        } while report.run.exitCode != .inLine && runs < 12
        site.expect(report, .inLine, Expected("a.bin", inOneRun ? "fetch done 206 *" : "resume done 206 *", Self.body))
        #expect(runs == (inOneRun ? 1 : 10))
    }

    @Test("C016 a stall at 20 kB of 100 kB: the retry goes on from the last byte, and nothing is thrown away")
    func stall() async throws {
        let site = try SyncFixture()
        var resource = Resource.plain(.sized(100_000), Faults { $0.delivery = .stall(after: 20_000) })
        resource.faultyRequests = 2
        site.origin.serve("/a.bin", resource)
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = 1
            $0.transport.stallTimeout = .seconds(1)
        }
        site.expect(report, .inLine, Expected("a.bin", "fetch done 206 0-99999", .sized(100_000)))
        #expect(
            site.origin.lines() == ["GET", "GET bytes=20000-99999 \"v1\"", "GET bytes=40000-99999 \"v1\""])
    }

    @Test("C017 a second answer that is shorter, without length and ranges: nothing of the first is left")
    func shorterRestart() async throws {
        let site = try SyncFixture()
        var first = Resource.plain(
            Self.body,
            Faults {
                $0.framing = .closeDelimited
                $0.range = .ignore
                $0.delivery = .stall(after: 300_000)
            })
        first.acceptRanges = nil
        let second = Resource.plain(.sized(100_000, seed: 4), version: 2, Faults { $0.framing = .chunked })
        site.origin.serve("/a.bin", inTurn: [first, second])
        let report = try await site.sync(paths: "/a.bin") { $0.transport.stallTimeout = .seconds(1) }
        site.expect(report, .inLine, Expected("a.bin", "fetch done 200 0-99999", .sized(100_000, seed: 4)))
    }
}
