// Redirects, links that expire, web pages in place of files (class G).

import MirrorKit
import MirrorTestSupport
import Testing

struct RedirectTests {
    private static let body = Body.sized(300_000)
    private static let old = Resource.seconds(1)

    @Test("a chain of redirects is followed", arguments: [301, 302, 303, 307, 308])
    func chain(status: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/target", .plain(Self.body))
        site.origin.serveRedirects("/a.bin", hops: 3, to: "/target", status: status)
        let file = try await site.file("/a.bin")
        #expect(file.line == "fetch done 200 0-299999")
        #expect(file.url == site.origin.url("/a.bin"))
        #expect(site.holds("a.bin", Self.body))
        #expect(try await site.file("/a.bin").status == .unchanged)
    }

    @Test("20 redirects and no more", arguments: [(20, true), (21, false)])
    func limit(hops: Int, isFetched: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/target", .plain(Self.body))
        site.origin.serveRedirects("/a.bin", hops: hops, to: "/target")
        let file = try await site.file("/a.bin")
        #expect(file.failure?.code == (isFetched ? nil : .tooManyRedirects))
        #expect(site.exists("a.bin") == isFetched)
    }

    @Test("a loop ends, after no more than 21 requests", arguments: [1, 2, 5])
    func loop(hops: Int) async throws {
        let site = try SyncFixture()
        site.origin.serveRedirectLoop("/a.bin", hops: hops)
        let file = try await site.file("/a.bin")
        #expect(file.failure?.code == .tooManyRedirects)
        #expect(site.origin.log.count == 21)
    }

    @Test(
        "C073 odd targets",
        arguments: [
            ("/a b/c.bin", "/a%20b/c.bin"), ("/caf\u{e9}.bin", "/caf%c3%a9.bin"), ("c.bin", "/dir/c.bin"),
            ("../c.bin", "/c.bin"), ("?x=1", "/dir/a.bin?x=1"), ("/c.bin#part", "/c.bin"),
        ])
    func oddTargets(location: String, target: String) async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { request in
            if request.target == "/dir/a.bin" { return .redirect(to: location) }
            return request.target.lowercased() == target ? Resource.plain(Self.body).answer(to: request) : .status(404)
        }
        let file = try await site.file("/dir/a.bin")
        #expect(file.status == .done, Comment(rawValue: site.origin.log.map(\.target).joined(separator: " ")))
        #expect(site.holds("a.bin", Self.body))
    }

    @Test(
        "C073 targets that cannot be used are failures of this file alone",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/a", "http:///x/y", "gopher://x/", "http://[::1", "\u{1}",
            "javascript:alert(1)",
        ])
    func uselessTargets(location: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { _ in .redirect(to: location) }
        site.origin.serve("/b.bin", .plain(Self.body))
        let report = try await site.sync(paths: "/a.bin", "/b.bin") { $0.retries = 0 }
        #expect(report.files.map(\.status) == [.failed, .done])
        #expect(!site.exists("a.bin"))
    }

    @Test("a redirect without Location is a failure")
    func noLocation() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { _ in Answer(status: 302, content: Content("not the file")) }
        #expect(try await site.file("/a.bin").failure?.code == .http)
        #expect(!site.exists("a.bin"))
    }

    @Test("headers and credentials of the user stay with the origin they were given for", arguments: [true, false])
    func otherHost(isOther: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/target", .plain(Self.body))
        let target = site.origin.url("/target", host: isOther ? "localhost" : "127.0.0.1")
        site.origin.serve("/a.bin") { _ in .redirect(to: target) }
        let manifest = """
            \(site.origin.url("/a.bin"))
              header=X-Entry: entry-secret
              referer=http://example.org/page

            """
        let field = try #require(HeaderField(parsing: "X-User: user-secret"))
        let report = try await site.sync(manifest) {
            $0.transport.fields = [field]
            $0.transport.user = "me:password"
        }
        #expect(report.files[0].status == .done)
        let first = try #require(site.origin.requests(for: "/a.bin").first)
        let second = try #require(site.origin.requests(for: "/target").first)
        let names = ["X-User", "X-Entry", "Referer", "Authorization"]
        #expect(names.allSatisfy { first.headers[$0] != nil })
        #expect(names.allSatisfy { (second.headers[$0] == nil) == isOther })
        #expect(second.headers["Accept-Encoding"] == "identity")
    }

    @Test("credentials do not come back on the next request of the same handle")
    func credentialsAfterRedirect() async throws {
        let site = try SyncFixture()
        let target = site.origin.url("/target", host: "localhost")
        site.origin.serve("/target", .plain(Self.body))
        for index in 0..<10 { site.origin.serve("/\(index)") { _ in .redirect(to: target) } }
        let manifest = (0..<10).map { site.origin.url("/\($0)") + "\n" }.joined()
        let report = try await site.sync(manifest) {
            $0.transport.user = "me:password"
            $0.transport.connectionsPerHost = 1
        }
        #expect(report.run.exitCode == .inLine)
        #expect(site.origin.requests(for: "/target").allSatisfy { $0.headers["Authorization"] == nil })
        #expect(
            (0..<10).allSatisfy {
                site.origin.requests(for: "/\($0)").allSatisfy { $0.headers["Authorization"] != nil }
            })
    }

    @Test("user and password of the URL itself do not follow to another host")
    func userInfo() async throws {
        let site = try SyncFixture()
        let target = site.origin.url("/target", host: "localhost")
        site.origin.serve("/target", .plain(Self.body))
        site.origin.serve("/a.bin") { _ in .redirect(to: target) }
        let report = try await site.sync("http://me:word@127.0.0.1:\(site.origin.port)/a.bin\n")
        #expect(report.files[0].status == .done)
        #expect(site.origin.requests(for: "/a.bin").allSatisfy { $0.headers["Authorization"] == "Basic bWU6d29yZA==" })
        #expect(site.origin.requests(for: "/target").allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("C068 every request starts again from the original URL: signed links may expire", arguments: [1, 2])
    func signedLinks(uses: Int) async throws {
        let site = try SyncFixture()
        let resource = Resource.plain(.sized(2 << 20), Faults { $0.delivery = .cut(after: 300_000) })
        site.origin.serveSigned("/a.bin", resource, uses: uses)
        let file = try await site.file("/a.bin") { $0.minimumSplitSize = 512 << 10 }
        #expect(file.status == .done)
        #expect(site.holds("a.bin", .sized(2 << 20)))
        #expect(site.origin.log.allSatisfy { $0.status != 403 })
    }

    @Test("C069 a link that dies keeps what was fetched; a later run goes on through a fresh redirect")
    func deadLink() async throws {
        let site = try SyncFixture()
        let resource = Resource.plain(Self.body, Faults { $0.delivery = .cut(after: 250_000) })
        site.origin.serveSigned("/a.bin", resource, uses: 1)
        try await site.sync(paths: "/a.bin") {
            $0.retries = 0; $0.split = 1
        }
        #expect(site.partials.count == 1)
        site.origin.serve("/a.bin") { request in
            request.method == "HEAD" ? Resource.plain(Self.body).answer(to: request) : .expiredSignature
        }
        let failed = try await site.file("/a.bin")
        #expect(failed.failure?.code == .forbidden)
        #expect(site.partials.count == 1)
        site.origin.serveSigned("/a.bin", .plain(Self.body), uses: 1)
        let file = try await site.file("/a.bin")
        #expect(file.status == .done && file.bytesReused == 250_000)
        #expect(file.bytesFetched < 100_000)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("C070 a login page with 200 is not the file: the old one stays", arguments: [true, false])
    func loginPage(isSeenByHead: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/login") { _ in .htmlPage() }
        site.origin.serve("/a.zip") { request in
            request.method == "HEAD" && !isSeenByHead
                ? Resource.plain(Self.body).answer(to: request) : .redirect(to: "/login")
        }
        site.put("a.zip", [1, 2, 3], modified: Self.old - 1)
        let file = try await site.file("/a.zip")
        #expect(file.failure?.code == .unexpectedType)
        #expect(site.bytes("a.zip") == [1, 2, 3])
        #expect(site.partials == [])
    }

    @Test("C070 a login page for a new file", arguments: ["a.zip", "a.iso", "a.tar.gz", "a.JPG"])
    func loginPageForNewFile(name: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/\(name)") { _ in .htmlPage() }
        let file = try await site.file("/\(name)")
        #expect(file.failure?.code == .unexpectedType)
        #expect(!site.exists(name))
    }

    @Test("C070 a page in place of a file whose record has another type")
    func loginPageByRecord() async throws {
        let site = try SyncFixture()
        site.origin.serve("/data", .plain(Self.body))
        try await site.sync(paths: "/data")
        site.origin.serve("/data") { _ in .htmlPage() }
        #expect(try await site.file("/data").failure?.code == .unexpectedType)
        #expect(site.holds("data", Self.body))
    }

    @Test("a web page that is meant is a file", arguments: ["page.html", "page", "index.htm"])
    func realPage(name: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/\(name)", Resource(body: .text("<html></html>"), contentType: "text/html"))
        #expect(try await site.file("/\(name)").status == .done)
        #expect(try await site.file("/\(name)").status == .unchanged)
        #expect(site.text(name) == "<html></html>")
    }

    @Test("C077 no Accept header that asks for anything but the file")
    func accept() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        try await site.sync(paths: "/a.bin")
        #expect(site.origin.log.allSatisfy { ($0.headers["Accept"] ?? "*/*") == "*/*" })
    }

    @Test(
        "C076 a URL is asked for as it is written",
        arguments: ["/a%20b", "/a+b", "/a//b", "/a?q=1&r=%2f", "/a;b", "/%41"])
    func exactTarget(target: String) async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        try await site.sync("\(site.origin.url(target))\n  out=x\n")
        #expect(site.origin.log.map(\.target) == [target])
    }
}
