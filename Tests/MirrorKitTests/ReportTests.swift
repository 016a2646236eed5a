// The report as others read it (contract, section 5), and as a source of the next run.

import Foundation
import Glibc
import MirrorKit
import MirrorStore
import MirrorTestSupport
import Testing

/// Makes that fail which a run does last.
private struct EndFaults: SystemCallObserver {
    private let names: Set<String>

    init(_ names: Set<String>) { self.names = names }

    func willCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?) -> SystemCallOrder {
        switch call {
        case .open(let path, _, let flags, _) where flags & O_CREAT != 0:
            names.contains { path.hasPrefix(".\($0).json.") } ? .fail(EIO) : .proceed
        case .transaction: names.contains("record") ? .fail(EIO) : .proceed
        default: .proceed
        }
    }
}

struct ReportTests {
    private static let body = Body.sized(10_000)

    private func json(_ path: String) throws -> [String: Any] {
        let bytes = try #require(SyncFixture.read(path))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// A run with a file of every kind; the report that lies in `.mirror`.
    private func makeSite() async throws -> (site: SyncFixture, report: [String: Any]) {
        let site = try SyncFixture()
        for name in ["new", "same", "short"] { site.origin.serve("/\(name)", .plain(Self.body)) }
        site.put("same", Self.body.allBytes, modified: Resource.seconds(1))
        site.put("short", Array(Self.body.allBytes[..<500]), modified: Resource.seconds(1))
        try await site.sync(paths: "/new", "/same", "/short", "/missing")
        return (site, try json("\(site.directory)/.mirror/report.json"))
    }

    @Test("the fields of mirror-report/1")
    func fields() async throws {
        let (site, report) = try await makeSite()
        #expect(Set(report.keys) == ["schema", "tool", "run", "totals", "files"])
        #expect(report["schema"] as? String == "mirror-report/1")
        let run = try #require(report["run"] as? [String: Any])
        #expect(
            Set(run.keys) == [
                "id", "started", "finished", "dry_run", "sources", "directory", "exit_code", "interrupted",
            ])
        #expect(run["exit_code"] as? Int == 1 && run["dry_run"] as? Bool == false)
        #expect(run["started"] as? String == "2026-06-01T00:00:00Z")
        #expect(run["directory"] as? String == site.directory)
        let totals = try #require(report["totals"] as? [String: Any])
        #expect(totals["files"] as? Int == 4 && totals["failed"] as? Int == 1)
        #expect(totals["bytes_reused"] as? Int == 500)
        #expect(
            totals["actions"] as? [String: Int] == [
                "fetch": 2, "resume": 1, "skip": 1, "delete": 0, "replace": 0, "remove": 0,
            ])
        #expect(totals["requests"] as? Int == site.origin.log.count)
    }

    @Test("a file of the report, and what is left out of it")
    func files() async throws {
        let (site, report) = try await makeSite()
        let files = try #require(report["files"] as? [[String: Any]])
        #expect(files.map { $0["path"] as? String } == ["new", "same", "short", "missing"])
        #expect(files.map { $0["status"] as? String } == ["done", "unchanged", "done", "failed"])
        let short = files[2]
        #expect(short["action"] as? String == "resume")
        #expect(short["reason"] as? String == "local 500 < remote 10000")
        #expect(short["local_size"] as? Int == 500 && short["remote_size"] as? Int == 10_000)
        #expect(short["ranges"] as? [[Int]] == [[500, 9_999]])
        #expect(short["etag"] as? String == "\"v1\"")
        #expect(short["http_status"] as? Int == 206)
        #expect(short["url"] as? String == site.origin.url("/short"))
        #expect(short["last_modified"] as? String == "2023-11-14T23:13:20Z")
        #expect(short["error"] == nil)
        let missing = files[3]
        #expect((missing["error"] as? [String: String])?["code"] == "not-found")
        #expect(["local_size", "remote_size", "ranges", "etag", "checksum"].allSatisfy { missing[$0] == nil })
    }

    @Test(
        "odd paths and messages make no bad JSON",
        arguments: ["quo\"te", "back\\slash", "\u{7f}\u{85}x", "\u{2028}", "\u{1F4C1}"])
    func escaping(name: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/x") { _ in .status(404) }
        try await site.sync("\(site.origin.url("/x"))\n  out=\(name)\n")
        let report = try json("\(site.directory)/.mirror/report.json")
        let path = try #require((report["files"] as? [[String: Any]])?.first?["path"] as? String)
        #expect(Array(path.utf8) == Array(name.utf8))
    }

    @Test("`sync plan.json` carries a dry run out")
    func carriesOut() async throws {
        let site = try SyncFixture()
        for name in ["a", "b"] { site.origin.serve("/\(name)", .plain(Self.body)) }
        let plan = "\(site.folder)/plan.json"
        let manifest = "\(site.origin.url("/a"))\n  out=x/a\n\(site.origin.url("/b"))\n"
        let dry = try await site.sync(manifest) {
            $0.isDryRun = true
            $0.reportFiles = [plan]
        }
        var options = SyncOptions(sources: [plan])
        options.directory = site.directory
        let real = try await Sync(options, clock: site.clock.runClock).run()
        #expect(real.files.map(\.path) == ["x/a", "b"])
        #expect(real.files.map(\.action) == dry.files.map(\.action))
        #expect(real.run.exitCode == .inLine)
        #expect(site.holds("x/a", Self.body) && site.holds("b", Self.body))
    }

    @Test("`--only failed` tries again what failed, and nothing else")
    func onlyFailed() async throws {
        let (site, _) = try await makeSite()
        site.origin.serve("/missing", .plain(Self.body))
        site.origin.resetLog()
        var options = SyncOptions(sources: ["\(site.directory)/.mirror/report.json"])
        options.directory = site.directory
        options.only = .failed
        let report = try await Sync(options, clock: site.clock.runClock).run()
        #expect(report.files.map(\.path) == ["missing"])
        #expect(report.run.exitCode == .inLine)
        #expect(site.origin.log.allSatisfy { $0.target == "/missing" })
        #expect(site.holds("missing", Self.body))
    }

    @Test("an entry that lost its secret cannot be carried out from the report, and that is said")
    func lostSecret() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        let plan = "\(site.folder)/plan.json"
        try await site.sync("\(site.origin.url("/a?token=abcdef"))\n  out=a\n") {
            $0.isDryRun = true
            $0.reportFiles = [plan]
        }
        var options = SyncOptions(sources: [plan])
        options.directory = site.directory
        do throws(SyncError) {
            _ = try await Sync(options, clock: site.clock.runClock).run()
            Issue.record("a URL with *** in it was asked for")
        } catch {
            guard case .badSource(let faults) = error else { throw error }
            #expect(faults[0].message.contains("manifest"))
        }
    }

    @Test("a report file that cannot be written makes a failed run of a good one")
    func unwritableReport() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        let report = try await site.sync(paths: "/a") { $0.reportFiles = ["/proc/nothing/x.json"] }
        #expect(report.files[0].status == .done)
        #expect(report.run.exitCode == .someFailed)
        #expect(site.holds("a", Self.body))
    }

    /// Every set of what can fail at the end, in both orders of the files.
    @Test(
        "what was written and the record say what the exit code says, whatever could not be written",
        arguments: 0..<16, [["one", "two"], ["two", "one"]])
    func allSayTheSame(faults: Int, files: [String]) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        try await site.sync(paths: "/a")
        unlink("\(site.directory)/.mirror/report.json")
        let broken = Set(
            ["one", "two", "report", "record"].enumerated().filter { faults & 1 << $0.offset != 0 }.map(\.element))
        let sync = site.makeSync("\(site.origin.url("/a"))\n", calls: SystemCalls(observer: EndFaults(broken))) {
            $0.reportFiles = files.map { "\(site.folder)/\($0).json" }
        }
        let code = try await sync.run().run.exitCode
        #expect(
            code
                == (broken.isEmpty
                    ? .inLine : broken.isDisjoint(with: ["report", "record"]) ? .someFailed : .unusableDirectory))
        let places = [
            "one": "\(site.folder)/one.json", "two": "\(site.folder)/two.json",
            "report": "\(site.directory)/.mirror/report.json",
        ]
        for (name, path) in places {
            #expect(broken.contains(name) == (SyncFixture.read(path) == nil), "\(name)")
            guard !broken.contains(name) else { continue }
            let run = try #require(try json(path)["run"] as? [String: Any])
            #expect(run["exit_code"] as? Int == Int(code.rawValue), "\(name)")
        }
        let store = try await Store.open(directory: site.directory, waitForLock: .seconds(60))
        let runs = store.runs()
        #expect(runs.count == (broken.contains("record") ? 1 : 2))
        if !broken.contains("record") { #expect(runs.first?.exitCode == code.rawValue) }
        await store.close()
    }

    @Test("a report named for no form is bad usage, before anything is done")
    func unknownForm() async throws {
        let site = try SyncFixture()
        do throws(SyncError) {
            _ = try await site.makeSync("\(site.origin.url("/a"))\n") { $0.reportFiles = ["x.docx"] }.run()
            Issue.record("a report of no form was written")
        } catch {
            guard case .badUsage = error else { throw error }
        }
        #expect(site.origin.log.isEmpty)
    }

    @Test("a reused byte is no fetched byte: the sums agree with what the origin sent")
    func sums() async throws {
        let (site, report) = try await makeSite()
        let totals = try #require(report["totals"] as? [String: Any])
        let fetched = try #require(totals["bytes_fetched"] as? Int)
        let files = try #require(report["files"] as? [[String: Any]])
        #expect(files.compactMap { $0["bytes_fetched"] as? Int }.reduce(0, +) == fetched)
        let sent = site.origin.log.filter { ($0.status ?? 0) < 400 }.reduce(0) { $0 + $1.bodyBytesSent }
        #expect(Int64(fetched) == sent, "error pages are nothing of the files")
        #expect(sent < site.origin.bodyBytesSent)
    }
}
