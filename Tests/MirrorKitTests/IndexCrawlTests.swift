// Indexes with all that lies below them: order, depth, redirects, loops, and folders that cannot be read
// (classes J and L).

import MirrorKit
import MirrorTestSupport
import Testing

struct IndexCrawlTests {
    @Test("what a tree holds comes out in the order of its pages, whatever answers come first")
    func order() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/z", "/pub/a/1", "/pub/a/2", "/pub/b/deep/er/3", "/pub/c/4")
        let gate = Gate()
        // The first folder answers last: all three are asked side by side.
        site.origin.serve("/pub/a/") { _ in
            _ = gate.wait(timeout: Allowance.wait)
            return tree.page("/pub/a/")
        }
        site.origin.serve("/pub/c/") { _ in
            gate.open()
            return tree.page("/pub/c/")
        }
        let report = try await site.syncIndex("/pub/")
        #expect(report.paths == ["z", "a/1", "a/2", "b/deep/er/3", "c/4"])
        #expect(report.run.exitCode == .inLine)
        #expect(site.holds("b/deep/er/3", of: "/pub/b/deep/er/3") && site.holds("a/1", of: "/pub/a/1"))
        site.origin.resetLog()
        let again = try await site.syncIndex("/pub/")
        #expect(again.files.allSatisfy { $0.status == .unchanged })
        // Pages are asked for anew and without conditions, and they count.
        let pages = site.origin.log.filter { $0.target.hasSuffix("/") }
        #expect(pages.count == 6)
        #expect(pages.allSatisfy { $0.headers["If-None-Match"] == nil && $0.headers["If-Modified-Since"] == nil })
        #expect(again.totals.requests == site.origin.log.count)
    }

    @Test("several folders at once, never more than an origin may get", arguments: [1, 3])
    func atOnce(limit: Int) async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        for index in 0..<12 { tree.add("/pub/\(index)/file") }
        let report = try await site.syncIndex("/pub/") { $0.transport.connectionsPerHost = limit }
        #expect(report.files.count == 12 && report.run.exitCode == .inLine)
        #expect(site.origin.peakConcurrentRequests <= limit)
    }

    @Test("--depth", arguments: [(1, ["f"]), (2, ["f", "a/f"]), (3, ["f", "a/f", "a/b/f"])])
    func depth(levels: Int, wanted: [String]) async throws {
        let site = try SyncFixture()
        ListedTree(on: site.origin).add("/pub/f", "/pub/a/f", "/pub/a/b/f")
        let report = try await site.syncIndex("/pub/") { $0.depth = levels }
        #expect(report.paths == wanted && report.run.exitCode == .inLine)
    }

    @Test("C075 an index that is redirected is the one it leads to", arguments: [false, true])
    func redirectedIndex(toOtherHost: Bool) async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/mirror/7/pub/a", "/mirror/7/pub/sub/b")
        let target = site.origin.url("/mirror/7/pub/", host: toOtherHost ? "localhost" : "127.0.0.1")
        site.origin.serve("/pub/") { _ in .redirect(to: target) }
        let report = try await site.syncIndex("/pub/")
        site.expect(
            report, .inLine, Expected("a", "fetch done **", ListedTree.body("/mirror/7/pub/a")),
            Expected("sub/b", "fetch done **", ListedTree.body("/mirror/7/pub/sub/b")))
        // The same by a line of a manifest.
        let again = try await site.sync(paths: "/pub/")
        #expect(again.files.map(\.status) == [.unchanged, .unchanged])
    }

    @Test("C075 a folder that is redirected out of the index is a gap")
    func redirectedFolder() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a/1", "/pub/b/2", "/pub/c/3", "/other/x")
        site.origin.serve("/pub/b/") { _ in .redirect(to: "/other/") }
        let report = try await site.syncIndex("/pub/")
        site.expect(
            report, .someFailed, Expected("a/1", "fetch done **", ListedTree.body("/pub/a/1")),
            Expected("b/", "fetch failed invalid-source", nil, message: "outside"),
            Expected("c/3", "fetch done **", ListedTree.body("/pub/c/3")))
    }

    @Test("C109 a link that leads back up ends, and nothing is fetched twice")
    func loops() async throws {
        let site = try SyncFixture()
        let page = IndexPage.nginx("/pub/", ["a", "again/"])
        site.origin.serveOthers { request in
            request.path.hasSuffix("/")
                ? .htmlPage(page) : Resource.plain(ListedTree.body("/pub/a")).answer(to: request)
        }
        let report = try await site.syncIndex("/pub/")
        #expect(report.run.exitCode == .someFailed)
        #expect(report.paths == ["a", "again/"])
        #expect(report.file("again/")?.failure?.message.contains("loop") == true)
        #expect(site.origin.log.filter { $0.target.hasSuffix("/") }.count == 2)
    }

    @Test("C109 a folder that holds nothing but itself ends as well")
    func emptyLoop() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { request in .htmlPage(IndexPage.nginx(request.path, ["updates/"])) }
        let report = try await site.syncIndex("/updates/")
        #expect(report.run.exitCode == .someFailed)
        #expect(report.files.count == 1)
        #expect(site.origin.log.count <= 64)
    }

    @Test("a folder whose redirects go round in a circle is a gap")
    func redirectLoop() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a/1", "/pub/b/2")
        site.origin.serve("/pub/a/") { _ in .redirect(to: "/pub/a/?x") }
        site.origin.serve("/pub/a/?x") { _ in .redirect(to: "/pub/a/") }
        let report = try await site.syncIndex("/pub/")
        #expect(report.paths == ["a/", "b/2"])
        #expect(report.run.exitCode == .someFailed && site.holds("b/2", of: "/pub/b/2"))
    }

    enum Trouble: String, CaseIterable, Sendable {
        case forbidden, busy, missing, reset, cut, script, login, text

        func answer(_ page: Answer) -> Answer {
            switch self {
            case .forbidden: return .status(403)
            case .busy: return .status(503)
            case .missing: return .status(404)
            case .reset: return .closed(.rst)
            case .cut:
                var page = page
                page.delivery = .cut(after: page.content.length - 60)
                return page
            case .script: return .htmlPage(IndexPage.script)
            case .login: return .htmlPage("<html><form><input type=\"password\"></form><a href=\"x\">x</a></html>")
            case .text: return .text("come back later\n")
            }
        }
    }

    @Test("C129 C131 C111 a folder that cannot be read is a gap; the rest goes on", arguments: Trouble.allCases)
    func unreadableFolder(_ trouble: Trouble) async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a/1", "/pub/b/2", "/pub/b/3", "/pub/c/4")
        site.origin.serve("/pub/b/") { _ in trouble.answer(tree.page("/pub/b/")) }
        let report = try await site.syncIndex("/pub/")
        #expect(report.run.exitCode == .someFailed)
        let gap = try #require(report.file("b/"))
        #expect(gap.status == .failed && gap.failure?.code == .invalidSource)
        #expect(site.holds("a/1", of: "/pub/a/1") && site.holds("c/4", of: "/pub/c/4"))
        #expect(site.exists("b/2") == (trouble == .cut))
        #expect(report.paths.filter { $0 == "b/" }.count == 1)
    }

    @Test("C111 an index that a script would have to make is an error, not an empty mirror")
    func scriptPage() async throws {
        let site = try SyncFixture()
        site.origin.serve("/pub/") { _ in .htmlPage(IndexPage.script) }
        do throws(SyncError) {
            _ = try await site.makeIndexSync(["/pub/"]).run()
            Issue.record("it was taken for an empty folder")
        } catch {
            #expect(error.exitCode == .badUsage && "\(error)".contains("script"))
        }
        #expect(!site.exists(".mirror"))
    }

    @Test("an empty index is in line", arguments: [ListedTree.Form.html, .xml])
    func emptyIndex(form: ListedTree.Form) async throws {
        let site = try SyncFixture()
        ListedTree(form, on: site.origin).change { $0.folders = ["/pub/"] }
        let report = try await site.syncIndex("/pub/")
        #expect(report.files.isEmpty && report.run.exitCode == .inLine)
        #expect(report.totals.requests == 1)
    }

    @Test("C107 where a server does not mark folders each entry is asked once")
    func unmarkedFolders() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(.links, on: site.origin)
        tree.add("/pub/a", "/pub/sub/b", "/pub/sub/deeper/c")
        let report = try await site.syncIndex("/pub/")
        #expect(Set(report.paths) == ["a", "sub/b", "sub/deeper/c"] && report.run.exitCode == .inLine)
        #expect(site.holds("sub/deeper/c", of: "/pub/sub/deeper/c"))
        for path in ["/pub/a", "/pub/sub/b"] {
            #expect(site.origin.requests(for: path).map(\.method) == ["HEAD", "GET"], Comment(rawValue: path))
        }
        #expect(report.totals.requests == site.origin.log.count)
    }

    @Test("C134 an entry that is gone when it is asked for is a failed entry")
    func vanished() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a", "/pub/b")
        site.origin.serve("/pub/a") { _ in .status(404) }
        site.expect(
            try await site.syncIndex("/pub/"), .someFailed, Expected("a", "fetch failed 404 ** not-found", nil),
            Expected("b", "fetch done **", ListedTree.body("/pub/b")))
    }

    @Test("C103 C112 links to elsewhere, icons and parents are no entries")
    func foreignLinks() async throws {
        let site = try SyncFixture()
        let names = [
            "a", "/icons/x.gif", "//example.org/b", "http://example.org/c", "mailto:x@example.org", "?C=N;O=D", "#top",
        ]
        site.origin.serve("/pub/") { _ in .htmlPage(IndexPage.nginx("/pub/", names)) }
        site.origin.serve("/pub/a", .plain(ListedTree.body("/pub/a")))
        let report = try await site.syncIndex("/pub/")
        #expect(report.paths == ["a"] && report.run.exitCode == .inLine)
    }

    @Test("a name that is not safe is a failed entry, and others are done")
    func unsafeNames() async throws {
        let site = try SyncFixture()
        let names = ["a", "%2e%2e%2fup", ".mirror/", "b"]
        site.origin.serve("/pub/") { _ in .htmlPage(IndexPage.nginx("/pub/", names)) }
        for name in ["a", "b"] { site.origin.serve("/pub/\(name)", .plain(ListedTree.body(name))) }
        let report = try await site.syncIndex("/pub/")
        #expect(report.run.exitCode == .someFailed)
        #expect(site.holds("a", of: "a") && site.holds("b", of: "b"))
        #expect(report.files.contains { $0.failure?.code == .unsafePath })
        #expect(!SyncFixture.names(in: site.folder).contains("up"))
        #expect(!site.origin.log.contains { $0.target.contains(".mirror") })
    }

    @Test("C088 a name that is a file and a folder costs one entry, not the run")
    func fileAndFolder() async throws {
        let site = try SyncFixture()
        let page = IndexPage.bucket(keys: ["a", "conflict", "conflict/child"])
        site.origin.serve("/bucket/?list-type=2") { _ in .text(page, contentType: "application/xml") }
        for name in ["a", "conflict", "conflict/child"] {
            site.origin.serve("/bucket/\(name)", .plain(ListedTree.body("/bucket/\(name)")))
        }
        let report = try await site.syncIndex("/bucket/?list-type=2")
        #expect(report.run.exitCode == .someFailed && report.paths == ["a", "conflict", "conflict/child"])
        #expect(report.file("conflict")?.failure?.code == .conflict)
        #expect(site.holds("a", of: "/bucket/a") && site.holds("conflict/child", of: "/bucket/conflict/child"))
    }

    @Test("--layout", arguments: [Layout.path, .host])
    func layout(_ layout: Layout) async throws {
        let site = try SyncFixture()
        ListedTree(on: site.origin).add("/pub/a", "/pub/sub/b")
        let report = try await site.syncIndex("/pub/") { $0.layout = layout }
        let host = layout == .host ? "127.0.0.1:\(site.origin.port)/" : ""
        #expect(report.run.exitCode == .inLine)
        #expect(report.paths == ["\(host)pub/a", "\(host)pub/sub/b"])
    }

    @Test("an index that is read when the run is ended")
    func cancelled() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a/1", "/pub/b/2")
        site.origin.serve("/pub/b/") { _ in .hang }
        let sync = site.makeIndexSync(["/pub/"])
        async let run = sync.run()
        #expect(await site.origin.waitUntil(requests: 1, for: "/pub/b/"))
        sync.cancel()
        let report = try await run
        #expect(report.run.exitCode == .endedEarly)
        #expect(!site.exists("a/1"))
    }
}
