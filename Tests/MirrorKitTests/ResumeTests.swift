// Going on with what is there: short files of somebody else, partial files of earlier runs, damage to either
// (class A).

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct ResumeTests {
    private static let size: Int64 = 1 << 20
    private static let body = Body.sized(size)
    private static let half = 500_000
    private static let old = Resource.seconds(1)

    // MARK: A file that somebody else left

    @Test(
        "C001 an old complete file is no beginning of a newer one, whatever its time says",
        arguments: [
            (-100, "replace"), (0, "resume"), (100, "resume"),
        ])
    func oldFileOfOtherBytes(age: Int, action: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        site.put("a.bin", Array(repeating: 0x61, count: Self.half), modified: Self.old + age)
        let file = try await site.file("/a.bin")
        #expect(file.action.rawValue == action && file.status == .done)
        #expect(file.reason.contains("overlap mismatch") == (action == "resume"))
        #expect(file.bytesReused == 0)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test(
        "the overlap is looked at from 16 KiB before the end",
        arguments: [
            (1, false), (16_384, false), (16_385, true), (300_000, true),
        ])
    func overlap(distance: Int, isReused: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        var bytes = Array(Self.body.allBytes[..<Self.half])
        bytes[Self.half - distance] ^= 1
        site.put("a.bin", bytes, modified: Self.old)
        let file = try await site.file("/a.bin")
        #expect(file.status == .done)
        #expect((file.bytesReused > 0) == isReused)
        #expect(site.holds("a.bin", Self.body) == !isReused)
    }

    @Test("a proved file is gone on from: only its end and what is missing are fetched")
    func foreignFile() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        site.put("a.bin", Array(Self.body.allBytes[..<Self.half]), modified: Self.old)
        let file = try await site.file("/a.bin")
        #expect(file.line == "resume done 206 \(Self.half)-\(Self.size - 1)")
        #expect(file.bytesReused == Int64(Self.half))
        #expect(file.bytesFetched == Self.size - Int64(Self.half) + 2 * (16 << 10))
        #expect(site.holds("a.bin", Self.body))
        #expect(site.modified("a.bin") == Self.old)
    }

    @Test("--no-overlap-check: nothing before the first missing byte is asked for")
    func withoutOverlapCheck() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        site.put("a.bin", Array(Self.body.allBytes[..<Self.half]), modified: Self.old)
        let file = try await site.file("/a.bin") {
            $0.checksOverlap = false
            $0.split = 1
        }
        #expect(file.bytesFetched == Self.size - Int64(Self.half))
        #expect(site.origin.lines() == ["HEAD", "GET bytes=\(Self.half)-\(Self.size - 1) \"v1\""])
        #expect(site.holds("a.bin", Self.body))
    }

    @Test(
        "a resume that fails leaves the short file as it was",
        arguments: [
            Faults { $0.range = .answer(.status(503)) }, Faults { $0.delivery = .closed(.rst) },
            Faults { $0.delivery = .cut(after: 100) },
        ])
    func failedResume(faults: Faults) async throws {
        let site = try SyncFixture()
        let short = Array(Self.body.allBytes[..<Self.half])
        site.origin.serve("/a.bin") { request in
            if request.method == "GET", request.range == nil { return .status(503) }
            return Resource.plain(Self.body, faults).answer(to: request)
        }
        site.put("a.bin", short, modified: Self.old)
        let file = try await site.file("/a.bin")
        #expect(file.action == .resume && file.status == .failed)
        #expect(site.bytes("a.bin") == short)
        #expect(site.modified("a.bin") == Self.old)
    }

    @Test("mismatch, and then the whole file cannot be had: the old file stays")
    func mismatchThenFailure() async throws {
        let site = try SyncFixture()
        let wrong = Array(repeating: UInt8(0x61), count: Self.half)
        site.origin.serve("/a.bin") { request in
            if request.method == "GET", request.range == nil { return .status(500) }
            return Resource.plain(Self.body).answer(to: request)
        }
        site.put("a.bin", wrong, modified: Self.old)
        #expect(try await site.file("/a.bin").status == .failed)
        #expect(site.bytes("a.bin") == wrong)
    }

    // MARK: A partial file of an earlier run

    /// Leaves a partial file of about half the bytes; what was fetched.
    private func makePartial(_ site: SyncFixture, split: Int = 1) async throws -> Int64 {
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: Int64(Self.half)) }))
        let file = try await site.file("/a.bin") {
            $0.retries = 0
            $0.split = split
        }
        #expect(file.status == .failed)
        #expect(!site.exists("a.bin"))
        #expect(site.partials.count == 1)
        site.origin.serve("/a.bin", .plain(Self.body))
        site.origin.resetLog()
        return file.bytesFetched
    }

    @Test("C013 C016 the next run asks from the recorded offset")
    func nextRun() async throws {
        let site = try SyncFixture()
        let first = try await makePartial(site)
        let file = try await site.file("/a.bin") { $0.split = 1 }
        #expect(file.line == "resume done 206 \(Self.half)-\(Self.size - 1)")
        #expect(
            site.origin.lines() == ["HEAD", "GET bytes=\(Self.half - 16_384)-\(Self.size - 1) \"v1\""])
        #expect(first + file.bytesFetched == Self.size + 16_384)
        #expect(site.holds("a.bin", Self.body))
        #expect(site.partials == [])
    }

    @Test("C013 C140 cancelled at half: interrupted, exit 3, and no final name until it is whole", arguments: [1, 4])
    func cancelled(split: Int) async throws {
        let site = try SyncFixture()
        let body = Body.sized(8 << 20)
        let gate = Gate()
        site.origin.serve("/a.bin", .plain(body, Faults { $0.delivery = .stall(after: 1 << 20, gate: gate) }))
        let sync = site.makeSync("\(site.origin.url("/a.bin"))\n") {
            $0.split = split
            $0.minimumSplitSize = 2 << 20
        }
        async let run = sync.run()
        #expect(await site.origin.waitUntil(bodyBytesSent: 1 << 20))
        while sync.progress.bytesFetched < 1 << 20 { await Task.yield() }
        sync.cancel()
        let report = try await run
        gate.open()
        #expect(report.files[0].status == .interrupted)
        #expect(report.run.exitCode == .endedEarly && report.run.isInterrupted)
        #expect(!site.exists("a.bin"))
        #expect(site.partials.count == 1)
        #expect(site.text(".mirror/report.json")?.contains("\"interrupted\":true") ?? false)
        site.origin.serve("/a.bin", .plain(body))
        site.origin.resetLog()
        let file = try await site.file("/a.bin") { $0.split = split }
        #expect(file.action == .resume && file.status == .done)
        #expect(site.holds("a.bin", body))
        #expect(
            site.origin.requests(for: "/a.bin").filter { $0.method == "GET" }.allSatisfy { $0.headers["Range"] != nil })
        #expect(report.files[0].bytesFetched + file.bytesFetched < body.length + Int64(split) << 20)
    }

    @Test(
        "the remote file changed since: the partial one is dropped",
        arguments: [
            Faults.IfRangeHandling.honoured, .ignored,
        ], [true, false])
    func changedSince(ifRange: Faults.IfRangeHandling, isSeenByHead: Bool) async throws {
        let site = try SyncFixture()
        _ = try await makePartial(site)
        let other = Body.sized(Self.size, seed: 2)
        site.origin.serve("/a.bin") { request in
            let isOld = request.method == "HEAD" && !isSeenByHead
            return isOld
                ? Resource.plain(Self.body).answer(to: request)
                : Resource.plain(other, version: 2, Faults { $0.ifRange = ifRange }).answer(to: request)
        }
        let file = try await site.file("/a.bin")
        #expect(file.status == .done && file.bytesReused == 0)
        #expect(site.holds("a.bin", other))
    }

    @Test("C004 the same length, no validators at all, other bytes: the overlap tells")
    func changedWithoutValidators() async throws {
        let site = try SyncFixture()
        site.origin.serve(
            "/a.bin", Resource(body: Self.body, faults: Faults { $0.delivery = .cut(after: Int64(Self.half)) }))
        try await site.sync(paths: "/a.bin") { $0.retries = 0 }
        site.origin.serve("/a.bin", Resource(body: .sized(Self.size, seed: 2)))
        let file = try await site.file("/a.bin")
        #expect(file.status == .done)
        #expect(site.holds("a.bin", .sized(Self.size, seed: 2)))
    }

    @Test(
        "C008 another URL for the same path: the partial file of the first says nothing",
        arguments: [
            Self.size, 100_000 as Int64, 2 << 20 as Int64,
        ])
    func otherURL(size: Int64) async throws {
        let site = try SyncFixture()
        _ = try await makePartial(site)
        let other = Resource.plain(.sized(size, seed: 2))
        site.origin.serve("/other.bin", other)
        let report = try await site.sync("\(site.origin.url("/other.bin"))\n  out=a.bin\n")
        // Though ETag and, once, size are those of the partial file, none of it is even looked at.
        #expect(report.files[0].action == .fetch && report.files[0].status == .done)
        #expect(report.files[0].reason == "missing" && report.files[0].bytesReused == 0)
        #expect(site.holds("a.bin", other.body))
    }

    @Test("C012 a partial file of full size with a hole is not complete")
    func fullSizeWithHole() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        // The sibling at the end of the file is done; the first stream never gets far.
        site.origin.serve("/a.bin") { request in
            if request.range != nil {
                gate.open()
                return Resource.plain(Self.body).answer(to: request)
            }
            let delivery = Delivery(
                hold: .init(at: .body(100_000), gate: gate), cut: .init(at: .body(150_000)))
            return Resource.plain(Self.body, Faults { $0.delivery = delivery }).answer(to: request)
        }
        let first = try await site.file("/a.bin") {
            $0.retries = 0
            $0.minimumSplitSize = 256 << 10
            $0.split = 2
        }
        if first.status == .failed {
            #expect(!site.exists("a.bin"))
            site.origin.serve("/a.bin", .plain(Self.body))
            let file = try await site.file("/a.bin")
            #expect(file.action == .resume && file.status == .done)
        }
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("deleting .mirror costs a check and no file")
    func withoutState() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        try await site.sync(paths: "/a.bin")
        for name in SyncFixture.names(in: "\(site.directory)/.mirror") { unlink("\(site.directory)/.mirror/\(name)") }
        #expect(try await site.file("/a.bin").line == "skip unchanged 200 none")
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("C148 an interrupted replacement does not touch the time or the bytes of the old file")
    func interruptedReplacement() async throws {
        let site = try SyncFixture()
        site.put("a.bin", [1, 2, 3], modified: Self.old - 5)
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: 300_000) }))
        let file = try await site.file("/a.bin") {
            $0.retries = 0
            $0.split = 1
        }
        #expect(file.action == .replace && file.status == .failed)
        #expect(site.bytes("a.bin") == [1, 2, 3])
        #expect(site.modified("a.bin") == Self.old - 5)
        site.origin.serve("/a.bin", .plain(Self.body))
        let next = try await site.file("/a.bin")
        #expect(next.action == .replace && next.status == .done && next.bytesReused == 300_000)
        #expect(site.holds("a.bin", Self.body))
    }
}
