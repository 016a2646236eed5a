// Transfers that break off and go on, within one run and over several (classes A and E).

import MirrorKit
import MirrorTestSupport
import Testing

struct InterruptedTransferTests {
    private static let size: Int64 = 1_000_000
    private static let body = Body.sized(size)

    @Test("C014 C016 cut ten times in one run", arguments: [Ending.fin, .rst], [1, 4])
    func cutTenTimes(ending: Ending, split: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: 120_000, ending) }))
        let file = try await site.file("/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 100_000
        }
        #expect(file.status == .done)
        #expect(site.holds("a.bin", Self.body))
        // What this run wrote itself, and from the same state, needs no proof: nothing is fetched twice but what siblings
        // have on the way when they meet.
        #expect(file.bytesFetched < Self.size + (split > 1 ? 30 * (16 << 10) : 1))
        #expect(split > 1 || file.attempts == 9)
    }

    @Test("C014 cut in each of ten runs", arguments: [Ending.fin, .rst])
    func cutInTenRuns(ending: Ending) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: 120_000, ending) }))
        var fetched: Int64 = 0
        var runs = 0
        var done = false
        while !done, runs < 15 {
            let file = try await site.file("/a.bin") {
                $0.split = 1
                $0.retries = 0
            }
            done = file.status == .done
            fetched += file.bytesFetched
            runs += 1
            #expect(done == site.exists("a.bin"))
            #expect(done || file.failure?.code == .truncated || file.failure?.code == .connect)
        }
        #expect(runs == 10)
        #expect(site.holds("a.bin", Self.body))
        #expect(fetched < Self.size + 10 * (16 << 10))
    }

    @Test("cut once, and then never a byte more: given up, with what there is kept", arguments: [Ending.fin, .rst])
    func neverMore(ending: Ending) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { request in
            let end: Int64 = request.ordinal == 0 ? 600_000 : 0
            return Resource.plain(Self.body, Faults { $0.delivery = .cut(after: end, ending) }).answer(to: request)
        }
        let file = try await site.file("/a.bin") { $0.split = 1 }
        #expect(file.status == .failed)
        #expect([.truncated, .connect].contains(file.failure?.code))
        #expect(file.attempts <= 8)
        #expect(file.bytesFetched < Self.size)
        #expect(!site.exists("a.bin"))
        #expect(site.partials.count == 1)
        site.origin.serve("/a.bin", .plain(Self.body))
        let next = try await site.file("/a.bin")
        #expect(next.action == .resume && next.bytesFetched < 450_000)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("C059 C060 ends before Content-Length: no final name, and the next run goes on")
    func endsEarly() async throws {
        let site = try SyncFixture()
        let faults = Faults { $0.framing = .contentLengthTooBig(by: 1_000) }
        site.origin.serve("/a.bin", Resource.plain(Self.body, faults))
        let file = try await site.file("/a.bin")
        #expect(file.status == .failed)
        #expect(!site.exists("a.bin"))
        site.origin.serve("/a.bin", .plain(Self.body, version: 2))
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test(
        "C056 C057 chunked without its end: never a file, the old one stays",
        arguments: [
            Framing.chunkedWithoutLast, .chunkedCutInTrailer,
        ])
    func chunkedCut(framing: Framing) async throws {
        let site = try SyncFixture()
        site.origin.serve("/new", .plain(Self.body, Faults { $0.framing = framing }))
        site.origin.serve("/old", .plain(Self.body, Faults { $0.framing = framing }))
        site.put("old", [1, 2, 3], modified: 0)
        let report = try await site.sync(paths: "/new", "/old")
        #expect(report.files.map(\.status) == [.failed, .failed])
        #expect(report.files.map(\.failure?.code) == [.truncated, .truncated])
        #expect(report.run.exitCode == .someFailed)
        #expect(!site.exists("new"))
        #expect(site.bytes("old") == [1, 2, 3])
        #expect(site.partials == [])
    }

    @Test("whole bodies without a length", arguments: [Framing.chunked, .closeDelimited, .chunkedAndLength, .none])
    func noLength(framing: Framing) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.framing = framing }))
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.holds("a.bin", Self.body))
        #expect(try await site.file("/a.bin").status == .unchanged)
    }

    @Test("C058 ends with its connection, and too early: HEAD knows better, the old file stays")
    func closeDelimitedEarly() async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.framing = .closeDelimited
            $0.delivery = .cut(after: 400_000)
        }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        site.put("a.bin", [1, 2, 3], modified: 0)
        let file = try await site.file("/a.bin")
        #expect(file.line == "replace failed 200 0-999999 truncated")
        #expect(site.bytes("a.bin") == [1, 2, 3])
    }

    @Test("C058 a new file that ends with its connection, and too early")
    func newCloseDelimitedEarly() async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.framing = .closeDelimited
            $0.delivery = .cut(after: 400_000)
        }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        let file = try await site.file("/a.bin")
        #expect(file.failure?.code == .truncated)
        #expect(!site.exists("a.bin"))
    }

    @Test(
        "lengths that cannot be: never a file",
        arguments: [
            ["5", "9"], ["-1"], ["99999999999999999999999"], ["abc"], ["1000000, 1000001"],
        ])
    func absurdLengths(lengths: [String]) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.framing = .lengths(lengths) }))
        site.put("a.bin", [1, 2, 3], modified: 0)
        let file = try await site.file("/a.bin")
        // A body whose length nobody can read may be whole, but nobody can say so.
        #expect(file.failure?.code == .http, "\(file.line)")
        #expect(site.bytes("a.bin") == [1, 2, 3])
    }

    @Test("C052 C054 a part that comes coded is not part of the file")
    func codedPart() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: 400_000) }))
        try await site.sync(paths: "/a.bin") {
            $0.retries = 0; $0.split = 1
        }
        site.origin.serve("/a.bin") { request in
            let faults = Faults { if request.range != nil { $0.contentEncoding = "gzip" } }
            return Resource.plain(Self.body, faults).answer(to: request)
        }
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("C160 C161 a stall is given up and gone on from")
    func stall() async throws {
        let site = try SyncFixture()
        var resource = Resource.plain(Self.body, Faults { $0.delivery = .stall(after: 500_000) })
        resource.faultyRequests = 1
        site.origin.serve("/a.bin", resource)
        let file = try await site.file("/a.bin") {
            $0.split = 1
            $0.transport.stallTimeout = .seconds(1)
        }
        #expect(file.status == .done && file.attempts == 2)
        #expect(site.holds("a.bin", Self.body))
        #expect(file.bytesFetched < Self.size + 20_000)
    }

    @Test("C017 restart with a shorter body leaves nothing of the longer one")
    func shorterSecondBody() async throws {
        let site = try SyncFixture()
        let long = Faults {
            $0.framing = .chunkedWithoutLast
            $0.range = .ignore
        }
        let short = Body.sized(400_000, seed: 3)
        site.origin.serve(
            "/a.bin", inTurn: [.plain(Self.body, long), .plain(short, version: 2, Faults { $0.framing = .chunked })])
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.holds("a.bin", short))
    }

    @Test("a connection that ends inside the head is tried again", arguments: [0, 10, 60])
    func cutInHead(bytes: Int) async throws {
        let site = try SyncFixture()
        let delivery = Delivery(cut: .init(at: .head(bytes)))
        var resource = Resource.plain(Self.body, Faults { $0.delivery = delivery })
        resource.faultyRequests = 2
        site.origin.serve("/a.bin", resource)
        let file = try await site.file("/a.bin") { $0.split = 1 }
        #expect(file.status == .done)
        #expect(site.holds("a.bin", Self.body))
        #expect(site.origin.log.count >= 3)
    }

    @Test("5 GiB: a range near the end is right beyond 32 bits")
    func largeOffsets() async throws {
        let site = try SyncFixture()
        let size: Int64 = 5 << 30
        let body = Body.synthetic(length: size, seed: 9)
        site.origin.serve("/a.bin", .plain(body))
        let report = try await site.sync(paths: "/a.bin") { $0.isDryRun = true }
        #expect(report.lines == ["fetch planned 200 0-\(size - 1)"])
        #expect(report.totals.bytesToFetch == size)
    }
}
