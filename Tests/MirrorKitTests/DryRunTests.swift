// A dry run changes nothing and says what the real run then does (C177).

import MirrorKit
import MirrorTestSupport
import Testing

struct DryRunTests {
    private static let body = Body.sized(50_000)
    private static let old = Resource.seconds(1)
    private static let names = ["none", "short", "equal", "large", "older", "partial", "absent"]

    /// A mirror with one file for each rule, one that another run began, and one that the server does not have.
    private func makeSite() async throws -> SyncFixture {
        let site = try SyncFixture()
        site.origin.serve("/partial", .plain(Self.body, Faults { $0.delivery = .cut(after: 20_000) }))
        try await site.sync(paths: "/partial") { $0.retries = 0 }
        for name in Self.names.dropLast() { site.origin.serve("/\(name)", .plain(Self.body)) }
        let bytes = Self.body.allBytes
        site.put("short", Array(bytes[..<30_000]), modified: Self.old)
        site.put("equal", bytes, modified: Self.old)
        site.put("large", bytes + [1], modified: Self.old)
        site.put("older", bytes, modified: Self.old - 1)
        site.origin.resetLog()
        return site
    }

    private func manifest(_ site: SyncFixture) -> String {
        Self.names.map { site.origin.url("/\($0)") + "\n" }.joined()
    }

    @Test("C177 the plan of a dry run is the real run's: actions, reasons, ranges, bytes to fetch")
    func sameAsRealRun() async throws {
        let site = try await makeSite()
        let dry = try await site.sync(manifest(site)) { $0.isDryRun = true }
        let real = try await site.sync(manifest(site))
        #expect(dry.files.map(\.action) == [.fetch, .resume, .skip, .delete, .replace, .resume, .fetch])
        #expect(real.files.map(\.action) == dry.files.map(\.action))
        // What the server does not have, a dry run says at once; but only a plain GET is the last word.
        #expect(real.files.map(\.reason).dropLast() == dry.files.map(\.reason).dropLast())
        #expect(dry.files.last?.reason == "missing; the server answered 404 when asked for it")
        #expect(real.files.map { $0.ranges?.map(\.text) } == dry.files.map { $0.ranges?.map(\.text) })
        #expect(real.files.map(\.remoteSize) == dry.files.map(\.remoteSize))
        #expect(real.totals.bytesToFetch == dry.totals.bytesToFetch)
        #expect(dry.files.map(\.status) == [.planned, .planned, .unchanged, .planned, .planned, .planned, .planned])
        #expect(real.files.map(\.status) == [.done, .done, .unchanged, .done, .done, .done, .failed])
        for name in Self.names.dropLast() { #expect(site.holds(name, Self.body), Comment(rawValue: name)) }
    }

    @Test("C177 nothing below DIR is created or changed, and only heads are asked for")
    func changesNothing() async throws {
        let site = try await makeSite()
        let before = site.tree()
        let report = try await site.sync(manifest(site)) { $0.isDryRun = true }
        #expect(site.tree() == before)
        #expect(report.run.isDryRun)
        #expect(report.totals.bytesFetched == 0)
        #expect(site.origin.log.allSatisfy { $0.method == "HEAD" || $0.headers["Range"] == "bytes=0-0" })
    }

    @Test("C177 no `.mirror` in a folder that mirror has not seen")
    func leavesNoFolder() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        site.put("other", [1])
        let before = site.tree()
        #expect(try await site.file("/a") { $0.isDryRun = true }.line == "fetch planned 200 0-49999")
        #expect(site.tree() == before)
    }

    @Test("C177 a DIR that is missing stays missing")
    func missingDirectory() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        let report = try await site.sync(paths: "/a") { $0.isDryRun = true }
        #expect(report.lines == ["fetch planned 200 0-49999"])
        #expect(report.run.exitCode == .inLine)
        #expect(!SyncFixture.names(in: site.folder).contains("mirror"))
    }

    @Test("a dry run writes the report files that were asked for, and only those")
    func reportFile() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        try await site.sync(paths: "/a") {
            $0.isDryRun = true
            $0.reportFiles = ["\(site.folder)/plan.json"]
        }
        #expect(SyncFixture.names(in: site.folder) == ["manifest.txt", "plan.json"])
    }
}
