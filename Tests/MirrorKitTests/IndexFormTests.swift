// Sources that are indexes of other kinds, and lines of manifests and reports that are indexes: buckets, WebDAV, site
// maps, repositories.

import MirrorKit
import MirrorTestSupport
import Testing

struct IndexFormTests {
    private static func dav(_ site: SyncFixture, refusal: @escaping @Sendable () -> Answer) {
        let files: [String: [String: Int64]] = [
            "/dav/": ["a": ListedTree.body("/dav/a").length], "/dav/sub/": ["b": 1],
        ]
        for (folder, names) in files {
            site.origin.serve(folder) { request in
                guard request.method == "PROPFIND" else { return refusal() }
                return IndexPage.multistatus(folder, files: names, folders: folder == "/dav/" ? ["sub"] : [])
            }
        }
        for name in ["a", "sub/b"] { site.origin.serve("/dav/\(name)", .plain(ListedTree.body("/dav/\(name)"))) }
    }

    @Test("where GET of a folder is refused, or is no listing, WebDAV is asked", arguments: [403, 405, 501, 200])
    func davInstead(status: Int) async throws {
        for isManifest in [false, true] {
            let site = try SyncFixture()
            Self.dav(site) { status == 200 ? .htmlPage(IndexPage.script) : .status(status) }
            let report =
                isManifest ? try await site.sync(paths: "/dav/") : try await site.syncIndex("/dav/")
            #expect(report.run.exitCode == .inLine)
            #expect(report.paths == ["a", "sub/b"])
            #expect(site.holds("sub/b", of: "/dav/sub/b"))
            #expect(site.origin.log.filter { $0.method == "PROPFIND" }.allSatisfy { $0.headers["Depth"] == "1" })
            #expect(report.totals.requests == site.origin.log.count)
        }
    }

    @Test("--from dav asks for nothing else")
    func fromDAV() async throws {
        let site = try SyncFixture()
        Self.dav(site) { .status(500) }
        let report = try await site.syncIndex("/dav/") { $0.form = .dav }
        #expect(report.paths == ["a", "sub/b"] && report.run.exitCode == .inLine)
        #expect(site.origin.requests(for: "/dav/").map(\.method) == ["PROPFIND"])
    }

    @Test("C114 the pages of a bucket, each folder once though every page names it")
    func bucketPages() async throws {
        let site = try SyncFixture()
        let pages = [
            "/bucket/?list-type=2&delimiter=/": IndexPage.bucket(keys: ["a"], prefixes: ["sub/"], next: "t1"),
            "t1": IndexPage.bucket(keys: ["b"], prefixes: ["sub/"], next: "t2"),
            "t2": IndexPage.bucket(keys: ["c"], prefixes: ["sub/"]),
        ]
        site.origin.serveOthers { request in
            let query = request.query ?? ""
            func page(_ text: String?) -> Answer { .text(text ?? "", contentType: "application/xml") }
            if query.contains("prefix=sub") { return page(IndexPage.bucket(keys: ["sub/d"], prefix: "sub/")) }
            if query.contains("token=t2") { return page(pages["t2"]) }
            if query.contains("token=t1") { return page(pages["t1"]) }
            if query.contains("list-type") { return page(pages["/bucket/?list-type=2&delimiter=/"]) }
            return Resource.plain(ListedTree.body(request.path)).answer(to: request)
        }
        let report = try await site.syncIndex("/bucket/?list-type=2&delimiter=/")
        #expect(report.paths == ["a", "b", "c", "sub/d"])
        #expect(report.run.exitCode == .inLine)
        #expect(site.origin.log.filter { $0.target.contains("prefix=sub") }.count == 1)
    }

    @Test("C115 a token that comes again is a gap")
    func repeatedToken() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { request in
            guard request.query != nil else {
                return Resource.plain(ListedTree.body(request.path)).answer(to: request)
            }
            return .text(IndexPage.bucket(keys: ["a"], next: "same"), contentType: "application/xml")
        }
        let report = try await site.syncIndex("/bucket/?list-type=2")
        #expect(report.run.exitCode == .someFailed)
        #expect(site.holds("a", of: "/bucket/a"))
        #expect(report.files.filter { $0.status == .failed }.count == 1)
        #expect(site.origin.log.filter { $0.target.contains("?") }.count <= 3)
    }

    @Test("an index of site maps is read with its parts; one that cannot be read is a gap", arguments: [true, false])
    func siteMaps(isWhole: Bool) async throws {
        let site = try SyncFixture()
        func xml(_ text: String) -> Answer { .text("<?xml version=\"1.0\"?>\n" + text, contentType: "text/xml") }
        let (first, second) = (site.origin.url("/s/1.xml"), site.origin.url("/s/2.xml"))
        let index =
            "<sitemapindex><sitemap><loc>\(first)</loc></sitemap><sitemap><loc>\(second)</loc></sitemap></sitemapindex>"
        site.origin.serve("/sitemap.xml") { _ in
            .text("<?xml version=\"1.0\"?>\n\(index)", contentType: "text/xml")
        }
        for name in ["1", "2"] {
            let page = site.origin.url("/page\(name)")
            site.origin.serve("/s/\(name).xml") { _ in
                name == "2" && !isWhole
                    ? .status(404)
                    : .text(
                        "<?xml version=\"1.0\"?>\n<urlset><url><loc>\(page)</loc></url></urlset>",
                        contentType: "text/xml")
            }
            site.origin.serve("/page\(name)", .plain(ListedTree.body(name)))
        }
        let report = try await site.syncIndex("/sitemap.xml")
        #expect(report.run.exitCode == (isWhole ? .inLine : .someFailed))
        #expect(site.holds("page1", of: "1") && site.exists("page2") == isWhole)
    }

    enum Primary: String, CaseIterable, Sendable { case right, wrongSize, wrongSum, missing }

    @Test(
        "a repository is read by way of its list of packages, which has to be the promised one",
        arguments: Primary.allCases)
    func repository(_ primary: Primary) async throws {
        let site = try SyncFixture()
        let list = """
            <?xml version="1.0"?>
            <metadata xmlns="http://linux.duke.edu/metadata/common" packages="1"><package type="rpm"><name>a</name>\
            <location href="Packages/a.rpm"/></package></metadata>
            """
        let sum = "d90a0a2597b32dddedd5005892aee78574baf571cd3f03a7bef942a0918b5341"
        let promised = primary == .wrongSum ? String(repeating: "0", count: 64) : sum
        let size = list.utf8.count + (primary == .wrongSize ? 1 : 0)
        let index = """
            <?xml version="1.0"?>
            <repomd xmlns="http://linux.duke.edu/metadata/repo"><data type="primary"><checksum type="sha256">\(promised)\
            </checksum><location href="repodata/primary.xml"/><size>\(size)</size></data></repomd>
            """
        site.origin.serve("/repo/repodata/repomd.xml") { _ in .text(index, contentType: "text/xml") }
        if primary != .missing { site.origin.serve("/repo/repodata/primary.xml", .plain(.text(list))) }
        site.origin.serve("/repo/Packages/a.rpm", .plain(ListedTree.body("a.rpm")))
        let report = try await site.syncIndex("/repo/repodata/repomd.xml")
        if primary == .right {
            #expect(report.run.exitCode == .inLine)
            #expect(report.files.count == 2)
            #expect(report.files.contains { $0.path.hasSuffix("a.rpm") && $0.status == .done })
        } else {
            #expect(report.run.exitCode == .someFailed)
            // What an unproved list names is not fetched.
            #expect(!report.paths.contains { $0.hasSuffix("a.rpm") })
            #expect(report.files.contains { $0.failure?.code == .invalidSource })
        }
    }

    @Test("a line of a manifest that is an index goes below its folder; a gap there is one line of the report")
    func manifestLine() async throws {
        let site = try SyncFixture()
        ListedTree(on: site.origin).add("/pub/a", "/pub/sub/b", "/c")
        let manifest = """
            \(site.origin.url("/c"))
            \(site.origin.url("/pub/"))
              dir=docs/new
            \(site.origin.url("/missing/"))
              dir=none

            """
        let report = try await site.sync(manifest)
        site.expect(
            report, .someFailed, Expected("c", "fetch done **", ListedTree.body("/c")),
            Expected("docs/new/a", "fetch done **", ListedTree.body("/pub/a")),
            Expected("docs/new/sub/b", "fetch done **", ListedTree.body("/pub/sub/b")),
            Expected("none/", "fetch failed invalid-source", nil))
    }

    @Test("--only failed reads the folders again that could not be read")
    func retriedReport() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a", "/pub/sub/b", "/pub/sub/deep/c")
        site.origin.serve("/pub/sub/") { _ in .status(403) }
        let first = try await site.syncIndex("/pub/")
        #expect(first.paths == ["a", "sub/"] && first.run.exitCode == .someFailed)
        site.origin.serve("/pub/sub/") { _ in tree.page("/pub/sub/") }
        let retry = try await site.makeSync("") {
            $0.sources = ["\(site.directory)/.mirror/report.json"]
            $0.only = .failed
        }.run()
        #expect(retry.paths == ["sub/b", "sub/deep/c"] && retry.run.exitCode == .inLine)
        #expect(site.holds("sub/deep/c", of: "/pub/sub/deep/c"))
    }

    @Test("--only failed of an index that could not be read at all", arguments: [false, true])
    func retriedIndex(hasFolder: Bool) async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a")
        site.origin.serve("/pub/") { _ in .status(403) }
        let first = try await site.sync("\(site.origin.url("/pub/"))\n" + (hasFolder ? "  dir=x\n" : ""))
        #expect(first.paths == [hasFolder ? "x/" : ""] && first.run.exitCode == .someFailed)
        site.origin.serve("/pub/") { _ in tree.page("/pub/") }
        let retry = try await site.makeSync("") {
            $0.sources = ["\(site.directory)/.mirror/report.json"]
            $0.only = .failed
        }.run()
        #expect(retry.paths == [hasFolder ? "x/a" : "a"] && retry.run.exitCode == .inLine)
    }
}
