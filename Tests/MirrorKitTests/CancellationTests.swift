// Runs that end at any moment and are followed by another: no byte is ever wrong, and every run ends (C013, C014, C140).

import MirrorKit
import MirrorTestSupport
import Testing

struct CancellationTests {
    private static let count = 8

    private static func body(_ index: Int) -> Body { .sized(Int64(60_000 + index * 90_000), seed: UInt64(index)) }

    private func makeSite() throws -> (site: SyncFixture, manifest: String) {
        let site = try SyncFixture(limits: Limits { $0.bytesPerSecond = 20_000_000 })
        for index in 0..<Self.count { site.origin.serve("/\(index).bin", .plain(Self.body(index))) }
        let manifest = (0..<Self.count).map { site.origin.url("/\($0).bin") + "\n" }.joined()
        return (site, manifest)
    }

    private static func set(_ options: inout SyncOptions) {
        options.minimumSplitSize = 64 << 10
        // A program that another test is starting has the lock for a moment.
        options.lockWait = Allowance.wait
    }

    @Test("cancelled at a random byte, three times in a row, then completed", arguments: 0..<16)
    func atRandomBytes(seed: Int) async throws {
        let (site, manifest) = try makeSite()
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<3 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let bytes = Int64(state >> 33) % 1_500_000
            site.origin.resetLog()
            let sync = site.makeSync(manifest, Self.set)
            async let run = sync.run()
            _ = await site.origin.waitUntil(bodyBytesSent: bytes, timeout: .milliseconds(150))
            sync.cancel()
            let report = try await run
            #expect(report.files.allSatisfy { $0.status != .failed }, "\(report.files.compactMap(\.failure))")
            check(site, report)
        }
        let report = try await site.sync(manifest, Self.set)
        #expect(report.run.exitCode == .inLine)
        #expect(report.files.count == Self.count)
        check(site, report)
        #expect(site.partials == [])
        #expect(try await site.sync(manifest, Self.set).files.allSatisfy { $0.status == .unchanged })
    }

    /// What has a final name is whole, and what is reported as done has one.
    private func check(_ site: SyncFixture, _ report: Report) {
        for index in 0..<Self.count where site.exists("\(index).bin") {
            #expect(site.holds("\(index).bin", Self.body(index)))
        }
        for file in report.files where file.status == .done || file.status == .unchanged {
            #expect(site.exists(file.path))
        }
    }

    @Test("cancelled while servers are asked", arguments: [0, 1, 5])
    func whileProbing(requests: Int) async throws {
        let (site, manifest) = try makeSite()
        for index in 0..<Self.count {
            site.put("\(index).bin", [1], modified: 0)
            site.origin.serve("/\(index).bin", .plain(Self.body(index), Faults { $0.head = .hang }))
        }
        let sync = site.makeSync(manifest, Self.set)
        async let run = sync.run()
        #expect(await site.origin.waitUntil(requests: requests))
        sync.cancel()
        let report = try await run
        #expect(report.run.exitCode == .endedEarly && report.run.isInterrupted)
        #expect((0..<Self.count).allSatisfy { site.bytes("\($0).bin") == [1] })
    }

    @Test("cancelled during the wait before a retry")
    func whileWaiting() async throws {
        let (site, _) = try makeSite()
        site.origin.serve("/x.bin") { _ in .status(503, retryAfter: "200") }
        site.clock.hold(.seconds(200))
        let sync = site.makeSync("\(site.origin.url("/x.bin"))\n")
        async let run = sync.run()
        #expect(await site.origin.waitUntil { $0.first?.outcome == .complete })
        sync.cancel()
        let report = try await run
        #expect(report.files.map(\.status) == [.interrupted])
        #expect(report.run.exitCode == .endedEarly)
        #expect(site.origin.log.count == 1)
        #expect(site.clock.sleepers == 0, "nobody waits for an origin when the run is over")
    }

    @Test("cancelled while paused")
    func whilePaused() async throws {
        let (site, manifest) = try makeSite()
        let sync = site.makeSync(manifest, Self.set)
        async let run = sync.run()
        #expect(await site.origin.waitUntil(bodyBytesSent: 10_000))
        await sync.pause()
        sync.cancel()
        let report = try await run
        #expect(report.files.count == Self.count)
        check(site, report)
        #expect(try await site.sync(manifest).run.exitCode == .inLine)
    }

    @Test("runs that end as soon as they begin leave nothing that is used after its end", arguments: 0..<6)
    func atOnce(lane: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.sized(20_000), Faults { $0.delivery = .stall(after: 5_000) }))
        for round in 0..<250 {
            let sync = site.makeSync("\(site.origin.url("/a"))\n")
            let run = Task { try await sync.run() }
            for _ in 0..<(round % 40) { await Task.yield() }
            run.cancel()
            _ = await run.result
        }
        #expect(!site.exists("a"))
    }

    @Test("the task that runs it is cancelled: the same as `cancel()`")
    func byTask() async throws {
        let (site, manifest) = try makeSite()
        let gate = Gate()
        for index in 0..<Self.count {
            let faults = Faults { $0.delivery = .stall(after: 30_000, gate: gate) }
            site.origin.serve("/\(index).bin", .plain(Self.body(index), faults))
        }
        let sync = site.makeSync(manifest, Self.set)
        let run = Task { try await sync.run() }
        #expect(await site.origin.waitUntil(bodyBytesSent: 60_000))
        run.cancel()
        let report = try await run.value
        gate.open()
        #expect(report.run.exitCode == .endedEarly)
        #expect(SyncFixture.names(in: site.directory) == [".mirror"])
    }
}
