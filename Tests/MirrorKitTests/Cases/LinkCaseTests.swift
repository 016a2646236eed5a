// Class G of the failure cases: redirects, links that expire, and pages in place of files.

import MirrorKit
import MirrorTestSupport
import Testing

struct LinkCaseTests {
    private static let old = Resource.seconds(1)
    private static let body = Body.sized(1 << 20)

    private static func ranges(_ options: inout SyncOptions) {
        options.minimumSplitSize = 128 << 10
        options.split = 4
    }

    @Test(
        "C068 a signed link that expires while ranges are fetched: asked for again, and nothing lost",
        arguments: [1, 2, 3])
    func expires(uses: Int) async throws {
        let site = try SyncFixture()
        site.origin.serveSigned("/a.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: 300_000) }), uses: uses)
        let report = try await site.sync(paths: "/a.bin", change: Self.ranges)
        site.expect(report, .inLine, Expected("a.bin", "fetch done 206 0-1048575", Self.body))
        #expect(report.files[0].url == site.origin.url("/a.bin"))
        #expect(report.files[0].bytesFetched < Self.body.length + 10 * (16 << 10))
        #expect(site.origin.log.allSatisfy { $0.status != 403 })
    }

    @Test(
        "C069 98 % done and the link dies: the part stays through failed runs, then goes on",
        arguments: [401, 403, 404, 410])
    func dies(status: Int) async throws {
        let site = try SyncFixture()
        let resource = Resource.plain(Self.body, Faults { $0.delivery = .cut(after: 1_027_604) })
        site.origin.serveSigned("/a.bin", resource, uses: 1)
        try await site.sync(paths: "/a.bin") {
            $0.retries = 0
            $0.split = 1
        }
        for isSeenByHead in [true, false] {
            site.origin.serve("/a.bin") { request in
                request.method == "HEAD" && !isSeenByHead
                    ? Resource.plain(Self.body).answer(to: request) : .status(status)
            }
            let report = try await site.sync(paths: "/a.bin")
            site.expect(
                report, .someFailed, partials: 1, Expected("a.bin", "resume failed \(status) 1027604-1048575 *", nil))
        }
        site.origin.serveSigned("/a.bin", .plain(Self.body), uses: 3)
        let report = try await site.sync(paths: "/a.bin")
        site.expect(report, .inLine, Expected("a.bin", "resume done 206 1027604-1048575", Self.body))
        #expect(report.files[0].bytesReused == 1_027_604)
    }

    enum Page: Sendable, CaseIterable { case redirect, direct, capitals, xhtml }

    @Test(
        "C070 a login page with 200: missing, short, equal and larger files, seen by HEAD or not",
        arguments: Page.allCases,
        [true, false])
    func loginPage(page: Page, isSeenByHead: Bool) async throws {
        let site = try SyncFixture()
        var answer = Answer.htmlPage()
        switch page {
        case .redirect: answer = .redirect(to: "/login")
        case .direct: break
        case .capitals: answer.headers = ["Content-Type": "Text/HTML; charset=utf-8"]
        case .xhtml: answer.headers = ["Content-Type": "application/xhtml+xml"]
        }
        site.origin.serve("/login") { _ in .htmlPage() }
        let names = ["new.zip", "older.zip", "short.zip", "larger.zip"]
        for name in names {
            site.origin.serve("/\(name)") { [answer] request in
                request.method == "HEAD" && !isSeenByHead ? Resource.plain(Self.body).answer(to: request) : answer
            }
        }
        let (older, short) = (Body.sized(2_000, seed: 2), Body.bytes(Self.body.bytes(in: 0..<9_000)))
        let larger = Body.bytes(Self.body.allBytes + [1])
        site.put("older.zip", older.allBytes, modified: Self.old - 1)
        site.put("short.zip", short.allBytes, modified: Self.old)
        site.put("larger.zip", larger.allBytes, modified: Self.old)
        let report = try await site.sync(paths: "/new.zip", "/older.zip", "/short.zip", "/larger.zip")
        let ranges = isSeenByHead ? "" : "* "
        site.expect(
            report, .someFailed,
            Expected("new.zip", "fetch failed 200 unexpected-type", nil, message: "login or error page"),
            Expected("older.zip", "replace failed 200 \(ranges)unexpected-type", older, message: "login or error page"),
            Expected("short.zip", "* failed 200 \(ranges)unexpected-type", short, message: "login or error page"),
            Expected("larger.zip", "* failed 200 \(ranges)unexpected-type", larger, message: "login or error page"))
    }

    @Test(
        "C071 404 with a body: no file, no part, and the next run does not find one",
        arguments: [400, 403, 404, 410, 500], [1, 4])
    func errorBody(status: Int, split: Int) async throws {
        let site = try SyncFixture()
        for _ in 0..<2 {
            site.origin.serve("/a.bin") { _ in
                Answer(
                    status: status, headers: ["Content-Type": "application/octet-stream"],
                    content: Content("no such file"))
            }
            let report = try await site.sync(paths: "/a.bin") { $0.split = split }
            site.expect(report, .someFailed, Expected("a.bin", "fetch failed \(status) *", nil))
        }
        site.origin.serve("/a.bin", .plain(Self.body))
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "fetch done 200 0-1048575", Self.body))
    }

    @Test(
        "C073 a Location with blanks, raw UTF-8 or odd slashes",
        arguments: [
            ("/a b.bin", "/a%20b.bin", true), ("/caf\u{e9}.bin", "/caf%C3%A9.bin", true),
            ("//%HOST%/x.bin", "/x.bin", true),
            ("http:///x.bin", "", false), ("/x\t\ty.bin", "/x%09%09y.bin", false), ("http://", "", false),
        ])
    func oddLocation(location: String, target: String, isFollowed: Bool) async throws {
        let site = try SyncFixture()
        let host = "127.0.0.1:\(site.origin.port)"
        let sent = location.replacing("%HOST%", with: host)
        site.origin.serveOthers { request in
            if request.target == "/a.bin" { return .redirect(to: sent) }
            return request.target.uppercased() == target.uppercased()
                ? Resource.plain(Self.body).answer(to: request) : .status(404)
        }
        let report = try await site.sync(paths: "/a.bin") { $0.retries = 0 }
        if isFollowed {
            site.expect(report, .inLine, Expected("a.bin", "fetch done 200 0-1048575", Self.body))
        } else if report.run.exitCode == .inLine {
            // Encoded once, it is a target like others.
            site.expect(report, .inLine, Expected("a.bin", "fetch done 200 0-1048575", Self.body))
        } else {
            site.expect(report, .someFailed, Expected("a.bin", "fetch failed 302 http", nil, message: "redirect"))
        }
    }

    @Test("C073 a loop of redirects ends with its own word", arguments: [1, 2, 3])
    func loop(hops: Int) async throws {
        let site = try SyncFixture()
        site.origin.serveRedirectLoop("/a.bin", hops: hops)
        let report = try await site.sync(paths: "/a.bin")
        site.expect(report, .someFailed, Expected("a.bin", "fetch failed 302 too-many-redirects", nil, message: "20"))
        #expect(site.origin.log.count == 21)
    }

    @Test("C076 /HEAD is asked for as it is written, and where the server says /HEAD/ that is followed")
    func trailingSlash() async throws {
        let site = try SyncFixture()
        site.origin.serve("/HEAD/", .plain(Self.body))
        let missing = try await site.sync(paths: "/HEAD")
        site.expect(missing, .someFailed, Expected("HEAD", "fetch failed 404 not-found", nil))
        site.origin.serve("/HEAD") { _ in .redirect(to: "/HEAD/", status: 301) }
        site.expect(
            try await site.sync(paths: "/HEAD"), .inLine, Expected("HEAD", "fetch done 200 0-1048575", Self.body))
        #expect(site.origin.log.map(\.target) == ["/HEAD", "/HEAD", "/HEAD/"])
    }

    @Test(
        "C077 a redirector that gives Metalink to those who ask for it: the file comes, for nobody asked",
        arguments: [true, false])
    func negotiation(isLabelledHTML: Bool) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { request in
            guard request.headers["Accept"].map({ $0 == "*/*" }) ?? true else {
                return .text(
                    "<?xml version=\"1.0\"?>", contentType: isLabelledHTML ? "text/html" : "application/metalink4+xml")
            }
            return Resource.plain(Self.body).answer(to: request)
        }
        site.expect(
            try await site.sync(paths: "/a.bin", change: Self.ranges), .inLine,
            Expected("a.bin", "fetch done * 0-1048575", Self.body))
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "skip unchanged 200 none", Self.body))
    }
}
