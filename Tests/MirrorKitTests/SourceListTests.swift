// What `mirror list` prints: each file once, and what contradicts what.

import MirrorKit
import MirrorTestSupport
import Testing

struct SourceListTests {
    /// The lines that are written, and what is said about them.
    private static func list(_ sources: String...) async throws -> (lines: [String], outcome: SourceList.Outcome) {
        let text = MirrorTestSupport.Locked("")
        let outcome = try await SourceList(SyncOptions(sources: sources)).run { line in text.withLock { $0 += line } }
        return (text.read { $0.split(separator: "\n").map(String.init) }, outcome)
    }

    private static func feed(_ urls: String...) -> Answer {
        let items = urls.map { "<item><enclosure url=\"\($0)\" length=\"5\" type=\"audio/mpeg\"/></item>" }
        return .text("<rss version=\"2.0\"><channel>\(items.joined())</channel></rss>", contentType: "text/xml")
    }

    private static func sitemap(_ urls: String...) -> Answer {
        let rows = urls.map { "<url><loc>\($0)</loc></url>" }
        return .text("<urlset>\(rows.joined())</urlset>", contentType: "text/xml")
    }

    @Test("a file that two pages name is printed once")
    func repeats() async throws {
        let site = try SyncFixture()
        site.origin.serve("/pub/") { _ in .htmlPage(IndexPage.nginx("/pub/", ["a", "sub/", "sub/b"])) }
        site.origin.serve("/pub/sub/") { _ in .htmlPage(IndexPage.nginx("/pub/sub/", ["b", "c"])) }
        let all = ["/pub/a", "/pub/sub/b", "/pub/sub/c"].map { site.origin.url($0) }
        let (lines, outcome) = try await Self.list(site.origin.url("/pub/"), site.origin.url("/pub/sub/"))
        #expect(lines.filter { !$0.hasPrefix(" ") }.prefix(3) == all[...])
        #expect(outcome.entries == 5, "the files of the folder have other paths as a source of their own")
        let (once, same) = try await Self.list(site.origin.url("/pub/"), site.origin.url("/pub/"))
        #expect(once.filter { !$0.hasPrefix(" ") } == all)
        #expect(same.entries == 3 && same.warnings.isEmpty && !same.isPartial)
    }

    @Test("two URLs with one path: one is printed, and the other one is told", arguments: [true, false])
    func conflictOfListing(isFeed: Bool) async throws {
        let site = try SyncFixture()
        let (one, other, more) = ("http://a.invalid/1/x.mp3", "http://a.invalid/2/x.mp3", "http://a.invalid/y.mp3")
        site.origin.serve("/list.xml") { _ in
            isFeed ? Self.feed(one, other, more, one) : Self.sitemap(one, other, more, one)
        }
        let (lines, outcome) = try await Self.list(site.origin.url("/list.xml"))
        #expect(lines.filter { !$0.hasPrefix(" ") } == [one, more])
        #expect(outcome.entries == 2 && outcome.isPartial && outcome.warnings.count == 1)
        #expect(outcome.warnings.first?.message.contains("«x.mp3»") == true)
        // The run goes on without that one.
        for path in ["/1/x.mp3", "/2/x.mp3", "/y.mp3"] { site.origin.serve(path, .plain(ListedTree.body(path))) }
        let urls = ["/1/x.mp3", "/2/x.mp3", "/y.mp3"].map { site.origin.url($0) }
        site.origin.serve("/list.xml") { _ in
            isFeed ? Self.feed(urls[0], urls[1], urls[2]) : Self.sitemap(urls[0], urls[1], urls[2])
        }
        let report = try await site.syncIndex("/list.xml")
        #expect(report.run.exitCode == .someFailed && report.files.map(\.status) == [.done, .failed, .done])
        #expect(report.files.dropFirst().first?.failure?.code == .conflict)
        #expect(site.holds("x.mp3", of: "/1/x.mp3") && site.holds("y.mp3", of: "/y.mp3"))
    }

    @Test("C116 the other reading of a name is no alternate: it may be another file")
    func twoReadings() async throws {
        let site = try SyncFixture()
        let page = IndexPage.bucket(keys: ["a+b"]).replacing("</Name>", with: "</Name><EncodingType>url</EncodingType>")
        site.origin.serve("/bucket/?list-type=2") { _ in .text(page, contentType: "application/xml") }
        let (lines, outcome) = try await Self.list(site.origin.url("/bucket/?list-type=2"))
        #expect(lines == [site.origin.url("/bucket/a%20b")] && !outcome.isPartial)
    }

    @Test("a conflict in a report costs an entry, one in a manifest the run, with both lines")
    func conflictOfLines() async throws {
        let site = try SyncFixture()
        for path in ["/1/x", "/2/x"] { site.origin.serve(path, .plain(ListedTree.body(path))) }
        let manifest = "\(site.folder)/two.txt", report = "\(site.folder)/report.json"
        site.write(Array("\(site.origin.url("/1/x"))\n\n\(site.origin.url("/2/x"))\n".utf8), to: manifest)
        let files = ["/1/x", "/2/x"].map { path in
            "{\"path\":\"x\",\"url\":\"\(site.origin.url(path))\",\"action\":\"fetch\",\"status\":\"planned\"}"
        }
        site.write(
            Array("{\"schema\":\"mirror-report/1\",\"files\":[\(files.joined(separator: ","))]}".utf8), to: report)
        do throws(SyncError) {
            _ = try await SourceList(SyncOptions(sources: [manifest])).run { _ in Issue.record("it was printed") }
            Issue.record("it was not refused")
        } catch {
            guard case .badSource(let faults) = error else { throw error }
            #expect(faults.map(\.line) == [3])
            #expect(faults.first?.message.hasSuffix("first at \(manifest):1") == true)
        }
        let (lines, outcome) = try await Self.list(report)
        #expect(lines.first == site.origin.url("/1/x") && outcome.entries == 1 && outcome.isPartial)
        let sync = try await site.makeSync("") { $0.sources = [report] }.run()
        #expect(sync.run.exitCode == .someFailed && sync.files.map(\.failure?.code) == [nil, .conflict])
    }
}
