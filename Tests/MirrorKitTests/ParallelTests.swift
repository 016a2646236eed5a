// One large file over several connections (classes A, B and H).

import MirrorKit
import MirrorTestSupport
import Testing

struct ParallelTests {
    private static let size: Int64 = 16 << 20
    private static let body = Body.sized(size)

    @Test(
        "C063 16 MiB in four ranges: bound by -x, each range tied to the ETag, no byte missing",
        arguments: [1, 2, 4, 6])
    func ranges(connections: Int) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        serveJoined(site, "/a.bin", gate)
        if connections == 1 { gate.open() }
        let file = try await site.file("/a.bin") {
            $0.minimumSplitSize = 1 << 20
            $0.transport.connectionsPerHost = connections
        }
        #expect(file.status == .done && file.attempts == 1)
        #expect(site.holds("a.bin", Self.body))
        #expect(site.origin.peakConnections <= min(connections, 4))
        let ranged = site.origin.log.filter { $0.headers["Range"] != nil }
        #expect(connections == 1 || !ranged.isEmpty)
        #expect(ranged.allSatisfy { $0.headers["If-Range"] == "\"v1\"" })
        // Where streams meet, little more than a socket's buffer is sent twice.
        #expect(file.bytesFetched >= Self.size && file.bytesFetched < Self.size + (4 << 20))
    }

    /// The first stream waits for a sibling, so that there is one in every run.
    private func serveJoined(_ site: SyncFixture, _ path: String, _ gate: Gate, _ faults: Faults = Faults()) {
        site.origin.serve(path) { request in
            if request.range != nil {
                gate.open()
                return Resource.plain(Self.body, faults).answer(to: request)
            }
            return Resource.plain(Self.body, Faults { $0.delivery = .stall(after: 100_000, gate: gate) })
                .answer(to: request)
        }
    }

    @Test("split 1: one plain request")
    func oneStream() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        let file = try await site.file("/a.bin") { $0.split = 1 }
        #expect(file.bytesFetched == Self.size)
        #expect(site.origin.lines() == ["GET"])
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("C003 no validators at all: ranges of two states could not be told apart, so one stream")
    func noValidators() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.validators = .none }))
        let file = try await site.file("/a.bin") { $0.minimumSplitSize = 1 << 20 }
        #expect(file.status == .done)
        #expect(site.origin.lines() == ["GET"])
    }

    @Test("`Accept-Ranges: none`: one stream")
    func acceptRangesNone() async throws {
        let site = try SyncFixture()
        var resource = Resource.plain(Self.body)
        resource.acceptRanges = "none"
        site.origin.serve("/a.bin", resource)
        #expect(try await site.file("/a.bin") { $0.minimumSplitSize = 1 << 20 }.status == .done)
        #expect(site.origin.lines() == ["GET"])
    }

    @Test(
        "C003 C004 changed between two ranges: all bytes are of the new state",
        arguments: [
            Faults.IfRangeHandling.honoured, .ignored, .datesOnly, .always200,
        ])
    func changedBetweenRanges(ifRange: Faults.IfRangeHandling) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        let other = Body.sized(Self.size, seed: 2)
        site.origin.serve("/a.bin") { request in
            if request.ordinal == 0 {
                let faults = Faults { $0.delivery = .stall(after: 100_000, gate: gate) }
                return Resource.plain(Self.body, faults).answer(to: request)
            }
            gate.open()
            return Resource.plain(other, version: 2, Faults { $0.ifRange = ifRange }).answer(to: request)
        }
        let file = try await site.file("/a.bin") { $0.minimumSplitSize = 1 << 20 }
        #expect(file.status == .done)
        #expect(site.holds("a.bin", other))
        #expect(file.etag == "\"v2\"")
        #expect(file.reason.contains("begun again"))
    }

    @Test("another ETag in each answer: still one whole file, in a bounded number of requests")
    func randomETag() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.validators = .randomETag }))
        let file = try await site.file("/a.bin") { $0.minimumSplitSize = 1 << 20 }
        #expect(file.status == .done)
        #expect(site.holds("a.bin", Self.body))
        #expect(site.origin.log.count < 20)
    }

    @Test("C007 a weak ETag never goes into If-Range", arguments: [true, false])
    func weakETag(hasDate: Bool) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        serveJoined(site, "/a.bin", gate, Faults { $0.validators = .weakETag })
        site.origin.serve("/b.bin") { request in
            var resource = Resource.plain(Self.body)
            resource.etag = "W/\"weak\""
            if !hasDate { resource.lastModified = nil }
            return resource.answer(to: request)
        }
        let file = try await site.file("/b.bin") { $0.minimumSplitSize = 1 << 20 }
        #expect(file.status == .done)
        #expect(site.holds("b.bin", Self.body))
        let sent = site.origin.log.compactMap { $0.headers["If-Range"] }
        #expect(sent.allSatisfy { !$0.hasPrefix("W/") && !$0.contains("weak") })
        #expect(hasDate || sent.isEmpty)
    }

    @Test("C083 an origin that serves k connections: every file in the end", arguments: [1, 2, 3])
    func connectionLimit(connections: Int) async throws {
        let limits = Limits {
            $0.concurrentRequests = connections
            $0.busyAnswer = .status(503)
        }
        let site = try SyncFixture(limits: limits)
        let names = (0..<8).map { "/\($0).bin" }
        for (index, name) in names.enumerated() {
            site.origin.serve(name, .plain(.sized(1 << 20, seed: UInt64(index))))
        }
        let report = try await site.sync(names.map { site.origin.url($0) + "\n" }.joined()) {
            $0.minimumSplitSize = 256 << 10
            $0.retries = 20
        }
        #expect(report.run.exitCode == .inLine)
        for (index, name) in names.enumerated() {
            #expect(site.holds(String(name.dropFirst()), .sized(1 << 20, seed: UInt64(index))))
        }
    }

    @Test("an origin that ends connections above its limit", arguments: [Ending.fin, .rst])
    func connectionLimitByClosing(ending: Ending) async throws {
        let limits = Limits {
            $0.connections = 2
            $0.overflow = .closed(ending)
        }
        let site = try SyncFixture(limits: limits)
        let names = (0..<6).map { "/\($0).bin" }
        for (index, name) in names.enumerated() {
            site.origin.serve(name, .plain(.sized(300_000, seed: UInt64(index))))
        }
        let report = try await site.sync(names.map { site.origin.url($0) + "\n" }.joined()) { $0.retries = 20 }
        #expect(report.run.exitCode == .inLine)
        for (index, name) in names.enumerated() {
            #expect(site.holds(String(name.dropFirst()), .sized(300_000, seed: UInt64(index))))
        }
    }

    @Test("C168 many small files: none of them empty")
    func manySmallFiles() async throws {
        let site = try SyncFixture()
        let names = (0..<300).map { "/\($0)" }
        for (index, name) in names.enumerated() {
            site.origin.serve(name, .plain(.sized(Int64(1 + index * 7), seed: UInt64(index))))
        }
        let report = try await site.sync(names.map { site.origin.url($0) + "\n" }.joined())
        #expect(report.run.exitCode == .inLine)
        #expect(report.files.map(\.path) == names.map { String($0.dropFirst()) })
        for index in names.indices {
            #expect(site.holds("\(index)", .sized(Int64(1 + index * 7), seed: UInt64(index))))
        }
        #expect(site.origin.acceptedConnections <= 6)
        #expect(site.origin.peakConcurrentRequests <= 6)
    }

    @Test("C163 a connection that ends after n requests is no failure", arguments: [true, false])
    func requestsPerConnection(announced: Bool) async throws {
        let limits = Limits {
            $0.requestsPerConnection = 3
            $0.announcesClose = announced
        }
        let site = try SyncFixture(limits: limits)
        let names = (0..<40).map { "/\($0)" }
        for name in names { site.origin.serve(name, .plain(Self.small)) }
        let report = try await site.sync(names.map { site.origin.url($0) + "\n" }.joined())
        #expect(report.run.exitCode == .inLine)
        #expect(names.allSatisfy { site.holds(String($0.dropFirst()), Self.small) })
    }

    private static let small = Body.sized(2_000)
}
