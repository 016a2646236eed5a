// Proxies that answer in place of the server (class Q). The proxy is an origin that takes requests for absolute URLs.

import MirrorKit
import MirrorTestSupport
import Testing

struct ProxyTests {
    private static let body = Body.sized(300_000)

    private func sync(
        _ site: SyncFixture, _ url: String = "http://files.example/a.zip", retries: Int = 2
    ) async throws -> FileReport {
        let report = try await site.sync("\(url)\n") {
            $0.transport.proxy = "http://127.0.0.1:\(site.origin.port)"
            $0.retries = retries
        }
        return try #require(report.files.first)
    }

    @Test("a file through a proxy")
    func plain() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        let file = try await sync(site)
        #expect(file.status == .done && site.holds("a.zip", Self.body))
        #expect(site.origin.log.map(\.target) == ["http://files.example/a.zip"])
    }

    @Test(
        "C169 the proxy's own error pages are never the file",
        arguments: [
            (400, .http, 1), (403, .forbidden, 1), (407, .unauthorized, 1), (502, .http, 3), (503, .http, 3),
            (504, .http, 3), (200, .unexpectedType, 1),
        ] as [(Int, FailureCode, Int)])
    func errorPages(row: (status: Int, code: FailureCode, requests: Int)) async throws {
        let site = try SyncFixture()
        let old = Body.sized(400_000, seed: 9)
        site.put("a.zip", old.allBytes, modified: 1_000)
        site.origin.serveOthers { request in
            // HEAD still comes from the server.
            request.method == "HEAD" ? Resource.plain(Self.body).answer(to: request) : .htmlPage(status: row.status)
        }
        let file = try await sync(site)
        #expect(file.failure?.code == row.code, "\(file.failure?.message ?? "")")
        #expect(site.holds("a.zip", old))
        #expect(site.origin.log.count { $0.method == "GET" } == row.requests)
        if row.status == 407 { #expect(file.failure?.message.contains("proxy") == true) }
    }

    @Test(
        "CONNECT that is refused: a failure that speaks of the proxy, and a retry only where it may pass",
        arguments: [
            (403, .connect, 1), (404, .connect, 1), (407, .unauthorized, 1), (502, .connect, 3), (503, .connect, 3),
        ] as [(Int, FailureCode, Int)])
    func refusedTunnel(row: (status: Int, code: FailureCode, requests: Int)) async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { _ in .htmlPage(status: row.status) }
        let file = try await sync(site, "https://files.example/a.zip")
        #expect(file.status == .failed && file.failure?.code == row.code)
        let message = try #require(file.failure?.message)
        #expect(message.contains("proxy") && message.contains("\(row.status)"), "\(message)")
        #expect(site.origin.log.map(\.method) == Array(repeating: "CONNECT", count: row.requests))
        #expect(!site.exists("a.zip"))
    }

    @Test("C170 a cache with a short object under the right length: gone on with, and never taken for whole")
    func shortObject() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { request in
            var resource = Resource.plain(Self.body, Faults { $0.delivery = .cut(after: 100_000) })
            resource.headers = ["Age": "10", "Via": "1.1 cache"]
            return (request.ordinal == 0 ? resource : .plain(Self.body)).answer(to: request)
        }
        let file = try await sync(site)
        #expect(file.status == .done && site.holds("a.zip", Self.body))
    }

    @Test("C170 a stale object: the source's size tells, and the request past the cache brings the right one")
    func staleObject() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { request in
            request.headers["Cache-Control"] == "no-cache"
                ? Resource.plain(Self.body, version: 2).answer(to: request)
                : Resource.plain(.sized(100, seed: 3), version: 1).answer(to: request)
        }
        let file = try await sync(site, "http://files.example/a.zip\n  size=300000")
        #expect(file.status == .done && site.holds("a.zip", Self.body))
    }

    @Test("what is for the server does not reach the proxy's answer, nor the proxy's log-in the server")
    func credentials() async throws {
        let site = try SyncFixture()
        site.origin.serveOthers { Resource.plain(Self.body).answer(to: $0) }
        let report = try await site.sync("http://files.example/a.zip\n") {
            $0.transport.proxy = "http://127.0.0.1:\(site.origin.port)"
            $0.transport.proxyUser = "me:word"
        }
        #expect(report.run.exitCode == .inLine)
        #expect(site.origin.log.allSatisfy { $0.headers["Proxy-Authorization"] == "Basic bWU6d29yZA==" })
        #expect(site.origin.log.allSatisfy { $0.headers["Authorization"] == nil })
    }
}
