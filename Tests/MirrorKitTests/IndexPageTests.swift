// What a page shows and what its files are: names, sizes and times that mislead (classes I to K).

import MirrorKit
import MirrorTestSupport
import Testing

struct IndexPageTests {
    /// A site whose only page has that text, and whose files are there by their targets.
    private static func site(_ page: Answer, _ targets: [String]) throws -> SyncFixture {
        let site = try SyncFixture()
        site.origin.serve("/pub/") { _ in page }
        for target in targets { site.origin.serve(target, .plain(ListedTree.body(target))) }
        return site
    }

    @Test("C067 a size that the index has modulo 4 GiB costs a question, never a file")
    func wrongSize() async throws {
        let row = "<file mtime=\"2023-11-14T23:13:20Z\" size=\"7\">a</file>"
        let site = try Self.site(.text(IndexPage.xml([row]), contentType: "text/xml"), ["/pub/a"])
        for _ in 0..<2 {
            let report = try await site.syncIndex("/pub/") { $0.trustsIndex = true }
            #expect(report.run.exitCode == .inLine && site.holds("a", of: "/pub/a"))
        }
        #expect(site.origin.requests(for: "/pub/a").filter { $0.method == "GET" }.count == 1)
    }

    @Test("C104 C106 names come from the links, decoded once, never from the text")
    func names() async throws {
        let rows = """
            <a href="a-very-long-name.iso">a-very-lo..&gt;</a>   01-Jan-2024 00:00   10
            <a href="a&amp;b%20c.txt">a&b c.txt</a>   01-Jan-2024 00:00   10
            <a href='q&quot;%23%3F.txt'>q</a>   01-Jan-2024 00:00   10
            <a href="%26lt%3Bb.txt">&lt;b.txt</a>   01-Jan-2024 00:00   10

            """
        let page = IndexPage.nginx("/pub/", []).replacing("</pre>", with: "\(rows)</pre>")
        let targets = ["/pub/a-very-long-name.iso", "/pub/a&b%20c.txt", "/pub/q%22%23%3F.txt", "/pub/%26lt%3Bb.txt"]
        let site = try Self.site(.htmlPage(page), targets)
        let report = try await site.syncIndex("/pub/")
        #expect(Set(report.paths) == ["a-very-long-name.iso", "a&b c.txt", "q\"#?.txt", "&lt;b.txt"])
        #expect(report.files.count { $0.status == .done } >= 3)
        #expect(site.holds("a&b c.txt", of: "/pub/a&b%20c.txt") && site.holds("&lt;b.txt", of: "/pub/%26lt%3Bb.txt"))
    }

    @Test("C108 links any levels deep on one page keep their path, each once")
    func wholeTree() async throws {
        let targets = ["/pub/a", "/pub/x/b", "/pub/x/y/c"]
        let site = try Self.site(.htmlPage(IndexPage.nginx("/pub/", targets + targets)), targets)
        let report = try await site.syncIndex("/pub/")
        #expect(report.paths == ["a", "x/b", "x/y/c"] && report.run.exitCode == .inLine)
        #expect(site.holds("x/y/c", of: "/pub/x/y/c"))
    }

    @Test("C113 raw bytes of a link are asked for as they are, whatever charset is said")
    func rawBytes() async throws {
        var page = Answer.htmlPage(IndexPage.nginx("/pub/", ["gr\u{FC}n.txt"]))
        page.headers = ["Content-Type": "text/html; charset=ISO-8859-1"]
        let site = try Self.site(page, ["/pub/gr%C3%BCn.txt"])
        let report = try await site.syncIndex("/pub/")
        #expect(report.paths == ["gr\u{FC}n.txt"] && report.run.exitCode == .inLine)
    }

    @Test("C116 a plus that may be a blank: the other reading after 404 alone, under the same name")
    func twoReadings() async throws {
        let site = try SyncFixture()
        let page = IndexPage.bucket(keys: ["a+b"]).replacing(
            "</Name>", with: "</Name><EncodingType>url</EncodingType>")
        site.origin.serve("/bucket/?list-type=2") { _ in .text(page, contentType: "application/xml") }
        site.origin.serve("/bucket/a%2Bb", .plain(ListedTree.body("plus")))
        // Busy is no answer: what the other name has is another file then.
        site.origin.serve("/bucket/a%20b") { _ in .status(503) }
        let busy = try await site.syncIndex("/bucket/?list-type=2") { $0.retries = 1 }
        #expect(busy.files.map(\.failure?.code) == [.http] && site.origin.requests(for: "/bucket/a%2Bb").isEmpty)
        site.origin.remove("/bucket/a%20b")
        let found = try await site.syncIndex("/bucket/?list-type=2")
        #expect(found.paths == ["a b"] && found.run.exitCode == .inLine && site.holds("a b", of: "plus"))
        site.origin.resetLog()
        #expect(try await site.syncIndex("/bucket/?list-type=2").files.map(\.status) == [.unchanged])
        #expect(site.origin.log.filter { $0.method == "GET" && $0.target.contains("%2Bb") }.isEmpty)
        // The first reading goes before the second one wherever it is there.
        site.origin.serve("/bucket/a%20b", .plain(ListedTree.body("blank"), version: 2))
        #expect(try await site.syncIndex("/bucket/?list-type=2").run.exitCode == .inLine)
        #expect(site.holds("a b", of: "blank"))
        for path in ["/bucket/a%20b", "/bucket/a%2Bb"] { site.origin.remove(path) }
        let gone = try await site.syncIndex("/bucket/?list-type=2")
        #expect(gone.files.map(\.failure?.code) == [.notFound] && site.holds("a b", of: "blank"))
    }

    @Test("C118 a key with a carriage return is a failure of that file alone")
    func carriageReturn() async throws {
        let site = try SyncFixture()
        let page = IndexPage.bucket(keys: ["a", "b\rc"])
        site.origin.serve("/bucket/?list-type=2") { _ in .text(page, contentType: "application/xml") }
        site.origin.serve("/bucket/a", .plain(ListedTree.body("/bucket/a")))
        let report = try await site.syncIndex("/bucket/?list-type=2")
        #expect(report.run.exitCode == .someFailed && site.holds("a", of: "/bucket/a"))
        #expect(report.totals.failed == 1)
    }

    @Test("C124 bytes that are not what a checksum list promises take no name")
    func wrongSum() async throws {
        let site = try SyncFixture()
        let sum = String(repeating: "0", count: 64)
        site.origin.serve("/pub/SHA256SUMS") { _ in .text("\(sum)  a\n") }
        site.origin.serve("/pub/a", .plain(ListedTree.body("/pub/a")))
        let report = try await site.syncIndex("/pub/SHA256SUMS")
        #expect(report.run.exitCode == .someFailed && !site.exists("a"))
        #expect(report.files.first?.failure?.code == .checksum)
    }

    @Test("C152 a time without a zone is no fact: the server is asked, and nothing is fetched again")
    func zones() async throws {
        let site = try Self.site(.htmlPage(IndexPage.nginx("/pub/", ["a"])), ["/pub/a"])
        for _ in 0..<2 {
            let report = try await site.syncIndex("/pub/") {
                $0.trustsIndex = true
                $0.selection.newerThan = Int64(Resource.seconds(0))
            }
            #expect(report.run.exitCode == .inLine && report.paths == ["a"])
        }
        #expect(site.modified("a") == Resource.seconds(1))
        #expect(site.origin.requests(for: "/pub/a").filter { $0.method == "GET" }.count == 1)
    }
}
