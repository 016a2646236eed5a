// What one run knows of another: records of finished files, files that were changed by others, DIR that comes and goes.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct StateTests {
    private static let body = Body.sized(20_000)
    private static let old = Resource.seconds(1)

    @Test(
        "a file that somebody changed since is no longer the recorded one",
        arguments: [
            (-5, "replace"), (0, "delete"), (5, "delete"),
        ])
    func changedLocally(age: Int, action: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        try await site.sync(paths: "/a")
        site.put("a", Self.body.allBytes + [1], modified: Self.old + age)
        let file = try await site.file("/a")
        #expect(file.action.rawValue == action && file.status == .done)
        #expect(site.holds("a", Self.body))
    }

    @Test("a file that was removed is fetched again")
    func removedLocally() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        try await site.sync(paths: "/a")
        unlink("\(site.directory)/a")
        #expect(try await site.file("/a").line == "fetch done 200 0-19999")
        #expect(site.holds("a", Self.body))
    }

    @Test("a recorded file and another URL for its path: the record says nothing of it")
    func recordOfOtherURL() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        try await site.sync(paths: "/a")
        site.origin.serve("/b", .plain(.sized(20_000, seed: 2), version: 2))
        let report = try await site.sync("\(site.origin.url("/b"))\n  out=a\n")
        #expect(report.files[0].status == .done)
        #expect(site.holds("a", .sized(20_000, seed: 2)))
    }

    @Test("secrets that change do not make another URL of it")
    func changingSecrets() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        #expect(try await site.sync("\(site.origin.url("/a?token=one"))\n  out=a\n").files[0].status == .done)
        #expect(try await site.sync("\(site.origin.url("/a?token=two"))\n  out=a\n").files[0].status == .unchanged)
    }

    @Test("C060 a mirror that was interrupted at every file is complete after the next run")
    func manyInterrupted() async throws {
        let site = try SyncFixture()
        let names = (0..<20).map { "/\($0).bin" }
        for (index, name) in names.enumerated() {
            let faults = Faults { $0.delivery = .cut(after: Int64(index) * 5_000) }
            site.origin.serve(name, .plain(.sized(100_000, seed: UInt64(index)), faults))
        }
        let manifest = names.map { site.origin.url($0) + "\n" }.joined()
        let first = try await site.sync(manifest) { $0.retries = 0 }
        #expect(first.totals.failed == 20)
        #expect(SyncFixture.names(in: site.directory) == [".mirror"])
        // What came before the first byte is nothing to go on from.
        #expect(site.partials.count == 19)
        for (index, name) in names.enumerated() {
            site.origin.serve(name, .plain(.sized(100_000, seed: UInt64(index))))
        }
        let second = try await site.sync(manifest)
        #expect(second.run.exitCode == .inLine)
        #expect(second.totals.bytesReused == (0..<20).reduce(0) { $0 + Int64($1) * 5_000 })
        for index in names.indices { #expect(site.holds("\(index).bin", .sized(100_000, seed: UInt64(index)))) }
        #expect(site.partials == [])
    }

    @Test("the size of the remote file shrinks, grows and comes back, over five runs")
    func changingSizes() async throws {
        let site = try SyncFixture()
        for (version, size) in [50_000, 20_000, 80_000, 0, 50_000].enumerated() {
            let body = Body.sized(Int64(size), seed: UInt64(version))
            site.origin.serve("/a.bin", .plain(body, version: version))
            let file = try await site.file("/a.bin")
            #expect(file.status == .done, Comment(rawValue: "version \(version)"))
            #expect(site.holds("a.bin", body))
            #expect(try await site.file("/a.bin").status == .unchanged)
        }
    }

    @Test("a log that only grows: same beginning, new ETag, all of it again")
    func growingLog() async throws {
        let site = try SyncFixture()
        let body = Body.sized(60_000)
        site.origin.serve("/log", .plain(.bytes(Array(body.allBytes[..<40_000]))))
        try await site.sync(paths: "/log")
        site.origin.serve("/log", .plain(body, version: 2))
        let file = try await site.file("/log")
        #expect(file.action == .replace && file.status == .done)
        #expect(site.holds("log", body))
    }

    @Test("folders that are missing are made, and DIR too")
    func folders() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        let report = try await site.sync("\(site.origin.url("/x"))\n  out=a/b/c/d/e/f\n") {
            $0.directory = "\(site.folder)/new/deep/mirror"
        }
        // One level is made; what the user mistyped is not.
        #expect(report.run.exitCode == .inLine)
    }
}
