// Bodies and redirects that mean harm: without end, packed small, or with more behind them. What they take is bounded,
// and the other files of the run arrive.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct HostileBodyTests {
    private static let body = Body.text("hello")
    /// Far more than is allowed, and not so much that a test that fails fills a disk.
    private static let endless = Content(.synthetic(length: 256 << 20, seed: 1))

    private func site() throws -> SyncFixture {
        let site = try SyncFixture(sendBuffer: 65_536)
        site.origin.serve("/good", .plain(Self.body))
        return site
    }

    private func freeSpace(of path: String) -> Int64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return 0 }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }

    @Test("a body without end stops where --min-free begins", arguments: [Framing.none, .chunked])
    func endlessBody(framing: Framing) async throws {
        let site = try site()
        site.origin.serve("/endless") { _ in
            Answer(status: 200, content: Self.endless, framing: framing)
        }
        let allowance: Int64 = 32 << 20
        let report = try await site.sync(paths: "/endless") {
            $0.minimumFree = max(freeSpace(of: site.folder) - allowance, 0)
        }
        #expect(report.run.exitCode == .unusableDirectory)
        #expect(report.files[0].bytesFetched <= 2 * allowance)
        #expect(report.files[0].failure?.code == .diskFull || report.failure?.code == .diskFull)
        #expect(!site.exists("endless") && site.partials.isEmpty)
    }

    @Test("a packed body is the file as it is, never unpacked", arguments: ["gzip", "deflate", "br", "zstd, gzip"])
    func bomb(coding: String) async throws {
        let site = try site()
        // The first bytes of a gzip of zeros; whoever unpacks it notices that the rest is none.
        let packed = [0x1F, 0x8B, 0x08, 0x00, 0, 0, 0, 0, 0, 0x03] + [UInt8](repeating: 0xEC, count: 5_000)
        site.origin.serve("/packed") { _ in
            Answer(status: 200, headers: ["Content-Encoding": coding], content: Content(.bytes(packed)))
        }
        let report = try await site.sync(paths: "/packed", "/good")
        #expect(report.files.map(\.status) == [.done, .done])
        #expect(site.bytes("packed") == packed)
    }

    @Test("bytes behind an answer are no part of a file", arguments: [Framing.contentLengthTooSmall(by: 100_000)])
    func trailingGarbage(framing: Framing) async throws {
        let site = try site()
        let whole = Body.sized(200_000)
        site.origin.serve("/a") { request in
            var resource = Resource.plain(whole)
            resource.faults.framing = framing
            return resource.answer(to: request)
        }
        let report = try await site.sync(paths: "/a", "/good")
        #expect(report.files[1].status == .done && site.holds("good", Self.body))
        // The server says 100,000 bytes: these and no others.
        if report.files[0].status == .done {
            #expect(site.bytes("a") == whole.bytes(in: 0..<100_000))
        }
    }

    @Test(
        "redirects without end, or to nowhere, fail their file and no other",
        arguments: [
            ("/loop", FailureCode.tooManyRedirects), ("/chain", .tooManyRedirects), ("/long", .http),
            ("/empty", .tooManyRedirects), ("/controls", .http), ("/port", .http), ("/scheme", .http),
            ("/file", .unsupported), ("/ftp", .unsupported), ("/many", .http),
        ])
    func redirects(path: String, code: FailureCode) async throws {
        let site = try site()
        site.origin.serveRedirectLoop("/loop")
        site.origin.serveRedirects("/chain", hops: 30, to: "/good")
        site.origin.serve("/long") { _ in .redirect(to: "/" + String(repeating: "x", count: 70_000)) }
        site.origin.serve("/empty") { _ in .redirect(to: "") }
        site.origin.serve("/controls") { _ in .redirect(to: "/\u{1B}[2J") }
        site.origin.serve("/port") { _ in .redirect(to: "http://127.0.0.1:99999/") }
        site.origin.serve("/scheme") { _ in .redirect(to: "javascript:alert(1)") }
        site.origin.serve("/file") { _ in .redirect(to: "file:///etc/passwd") }
        site.origin.serve("/ftp") { _ in .redirect(to: "ftp://127.0.0.1/x") }
        site.origin.serve("/many") { _ in .redirect(to: String(repeating: "x", count: 1 << 20)) }
        let report = try await site.sync(paths: path, "/good")
        #expect(report.files[0].failure?.code == code, "\(report.files[0].failure?.message ?? "")")
        #expect(report.files[0].failure?.message.utf8.count ?? 0 < 300)
        #expect(report.files[1].status == .done && site.holds("good", Self.body))
        #expect(site.origin.requests(for: path).count <= 60)
    }

    @Test(
        "a name of 4,000 bytes that a server suggests is refused, short ones beside it are not",
        arguments: [4_000, 256, 255])
    func longName(length: Int) async throws {
        let site = try site()
        site.origin.serve("/suggested") { request in
            var resource = Resource.plain(Self.body)
            let name = String(repeating: "n", count: length)
            resource.headers.append("Content-Disposition", "attachment; filename=\(name)")
            return resource.answer(to: request)
        }
        let report = try await site.sync(paths: "/suggested", "/good") { $0.prefersSuggestedNames = true }
        #expect(report.files[0].failure?.code == (length > 255 ? .nameTooLong : nil))
        #expect(report.files[1].status == .done)
    }
}
