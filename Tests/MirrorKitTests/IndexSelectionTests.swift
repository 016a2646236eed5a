// Which entries of an index are taken, in which order they take their names, and what an index is believed.

import MirrorKit
import MirrorStore
import MirrorTestSupport
import Testing

/// Counts how often a lock is asked for.
private final class LockWatch: SystemCallObserver {
    private let count = MirrorTestSupport.Locked(0)

    func willCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?) -> SystemCallOrder {
        if case .lock = call { count.withLock { $0 += 1 } }
        return .proceed
    }

    /// Suspends until it was asked for so often.
    func waitForLocks(_ wanted: Int) async -> Bool {
        let end = ContinuousClock.now + Allowance.wait
        while count.read({ $0 }) < wanted {
            guard ContinuousClock.now < end else { return false }
            await Task.yield()
        }
        return true
    }
}

struct IndexSelectionTests {
    private static func rules(_ texts: String...) throws -> [Selection.Rule] {
        try texts.map { text in
            let pattern = try GlobPattern(String(text.dropFirst()))
            return text.hasPrefix("+") ? .include(pattern) : .exclude(pattern)
        }
    }

    @Test("--trust-index skips what agrees in size and time without a question")
    func trustIndex() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(.xml, on: site.origin)
        tree.add("/pub/a", "/pub/b", "/pub/sub/c")
        #expect(try await site.syncIndex("/pub/") { $0.trustsIndex = true }.run.exitCode == .inLine)
        site.origin.resetLog()
        let again = try await site.syncIndex("/pub/") { $0.trustsIndex = true }
        #expect(again.files.map(\.status) == [.unchanged, .unchanged, .unchanged])
        #expect(site.origin.log.map(\.target) == ["/pub/", "/pub/sub/"])
        #expect(again.totals.requests == 2)
        // Another time, another size: each is asked for, and nothing else.
        tree.change {
            $0.files["/pub/a"] = .plain(ListedTree.body("/pub/a"), version: 2)
            $0.files["/pub/b"] = .plain(.text("longer than before, by some bytes"))
        }
        site.origin.resetLog()
        let third = try await site.syncIndex("/pub/") { $0.trustsIndex = true }
        #expect(third.files.map(\.status) == [.done, .done, .unchanged])
        #expect(!site.origin.log.contains { $0.target == "/pub/sub/c" })
    }

    @Test("C105 what a page shows rounded is no fact: the server is asked")
    func trustRoundedIndex() async throws {
        let site = try SyncFixture()
        ListedTree(on: site.origin).add("/pub/a")
        try await site.syncIndex("/pub/") { $0.trustsIndex = true }
        site.origin.resetLog()
        let again = try await site.syncIndex("/pub/") { $0.trustsIndex = true }
        #expect(again.files.map(\.status) == [.unchanged])
        #expect(site.origin.requests(for: "/pub/a").map(\.method) == ["HEAD"])
    }

    @Test("filters in order; a folder that cannot hold anything wanted is not read")
    func filters() async throws {
        let site = try SyncFixture()
        ListedTree(on: site.origin).add(
            "/pub/a.iso", "/pub/a.txt", "/pub/old/b.iso", "/pub/new/c.iso", "/pub/new/c.log")
        let rules = try Self.rules("-old/", "+*.iso", "-*")
        let report = try await site.syncIndex("/pub/") { $0.selection.rules = rules }
        #expect(report.paths == ["a.iso", "new/c.iso"] && report.run.exitCode == .inLine)
        #expect(!site.origin.log.contains { $0.target.hasPrefix("/pub/old/") })
        #expect(!site.origin.log.contains { $0.target == "/pub/a.txt" })
    }

    @Test(
        "sizes and times decide by what the index knows, else by a question", arguments: [ListedTree.Form.xml, .html])
    func factFilters(form: ListedTree.Form) async throws {
        let site = try SyncFixture()
        let tree = ListedTree(form, on: site.origin)
        tree.change {
            $0.files["/pub/small"] = .plain(.sized(10))
            $0.files["/pub/middle"] = .plain(.sized(1_000), version: 5)
            $0.files["/pub/old"] = .plain(.sized(1_000))
            $0.files["/pub/large"] = .plain(.sized(5_000), version: 5)
        }
        let report = try await site.syncIndex("/pub/") {
            $0.selection.minimumSize = 100
            $0.selection.maximumSize = 2_000
            $0.selection.newerThan = Int64(Resource.seconds(3))
        }
        #expect(report.paths == ["middle"] && report.run.exitCode == .inLine)
        #expect(site.holds("middle", .sized(1_000)))
        #expect(!site.exists("old") && !site.exists("large"))
        if form == .xml { #expect(!site.origin.log.contains { $0.target == "/pub/small" && $0.method == "GET" }) }
    }

    @Test("--last: these take their names after all others, and not at all if one failed")
    func last() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/A.index", "/pub/b", "/pub/c")
        let last = [try GlobPattern("*.index")]
        site.origin.serve("/pub/c") { _ in .status(404) }
        let report = try await site.syncIndex("/pub/") { $0.lastPatterns = last }
        site.expect(
            report, .someFailed, Expected("A.index", "fetch failed ** conflict", nil, message: "--last"),
            Expected("b", "fetch done **", ListedTree.body("/pub/b")), Expected("c", "fetch failed ** not-found", nil))
        #expect(!site.origin.log.contains { $0.target == "/pub/A.index" && $0.method == "GET" })
        site.origin.serve("/pub/c", .plain(ListedTree.body("/pub/c")))
        site.origin.resetLog()
        let again = try await site.syncIndex("/pub/") { $0.lastPatterns = last }
        #expect(again.run.exitCode == .inLine && site.holds("A.index", of: "/pub/A.index"))
        #expect(site.origin.log.filter { $0.method == "GET" }.last?.target == "/pub/A.index")
    }

    @Test("--last holds back where a part of the index could not be read")
    func lastBesideGap() async throws {
        let site = try SyncFixture()
        ListedTree(on: site.origin).add("/pub/A.index", "/pub/sub/b")
        site.origin.serve("/pub/sub/") { _ in .status(403) }
        let last = [try GlobPattern("*.index")]
        let report = try await site.syncIndex("/pub/") { $0.lastPatterns = last }
        #expect(report.run.exitCode == .someFailed && !site.exists("A.index"))
    }

    @Test("--shard: every entry in exactly one part, each part with its own state and report")
    func shards() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        let names = (0..<20).map { "f\($0)" }
        for name in names { tree.add("/pub/\(name)") }
        var taken: [String] = []
        for index in 0..<3 {
            let report = try await site.syncIndex("/pub/") { $0.selection.shard = Selection.Shard(index, of: 3) }
            #expect(report.run.exitCode == .inLine)
            taken += report.paths
            #expect(site.exists(".mirror/shard-\(index)-of-3/report.json"))
            #expect(site.exists(".mirror/shard-\(index)-of-3/state.sqlite"))
        }
        #expect(taken.sorted() == names.sorted())
        #expect(!site.exists(".mirror/state.sqlite") && !site.exists(".mirror/report.json"))
        for index in 0..<3 {
            let report = try await site.syncIndex("/pub/") { $0.selection.shard = Selection.Shard(index, of: 3) }
            #expect(report.files.allSatisfy { $0.status == .unchanged && $0.httpStatus == 200 })
        }
    }

    @Test("shards run side by side; a run of all entries and they exclude each other")
    func shardLocks() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        site.origin.serve("/a", .plain(.sized(10_000), Faults { $0.delivery = .stall(after: 5_000, gate: gate) }))
        let shards = (0..<2).compactMap { Selection.Shard($0, of: 2) }
        let busy = try #require(
            shards.first { shard in
                var selection = Selection()
                selection.shard = shard
                return selection.takes(path: "a")
            })
        let idle = try #require(shards.first { $0 != busy })
        async let first = site.sync(paths: "/a") { $0.selection.shard = busy }
        #expect(await site.origin.waitUntil(bodyBytesSent: 5_000))
        func exitCode(_ shard: Selection.Shard?, isDryRun: Bool = false) async throws -> ExitCode {
            do throws(SyncError) {
                return try await site.makeSync("\(site.origin.url("/a"))\n") {
                    $0.selection.shard = shard
                    $0.isDryRun = isDryRun
                }.run().run.exitCode
            } catch {
                return error.exitCode
            }
        }
        #expect(try await exitCode(idle) == .inLine)
        #expect(try await exitCode(busy) == .locked)
        #expect(try await exitCode(busy, isDryRun: true) == .locked)
        #expect(try await exitCode(idle, isDryRun: true) == .inLine)
        #expect(try await exitCode(nil) == .locked)
        gate.open()
        #expect(try await first.run.exitCode == .inLine)
        #expect(try await exitCode(nil) == .inLine)
    }

    @Test("C137 after a wait for another run the sources are read anew")
    func readAgainAfterWait() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a")
        let gate = Gate()
        site.origin.serve("/slow", .plain(.sized(10_000), Faults { $0.delivery = .stall(after: 5_000, gate: gate) }))
        async let first = site.sync(paths: "/slow")
        #expect(await site.origin.waitUntil(bodyBytesSent: 5_000))
        let disk = LockWatch()
        let second = site.makeIndexSync(["/pub/"], calls: SystemCalls(observer: disk)) { $0.lockWait = .seconds(60) }
        async let waiting = second.run()
        // The page has been read whole when the lock is asked for, and it is asked for again and again.
        #expect(await disk.waitForLocks(2))
        tree.add("/pub/b")
        gate.open()
        _ = try await first
        let report = try await waiting
        #expect(report.paths == ["a", "b"] && report.run.exitCode == .inLine)
    }
}
