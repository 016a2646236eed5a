// The table of rules (contract, section 3): what is there, what the server says, what is done, what is asked for.

import MirrorKit
import MirrorTestSupport
import Testing

struct RulesTests {
    private static let old = Resource.seconds(1)
    private static let body = Body.sized(100_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Bytes of the local file, from the same body and then others; nil for none.
        let local: Int?
        let modified: Int
        let report: String
        let requests: [String]
    }

    private static let rows = [
        Row(
            testDescription: "none: fetched by GET without HEAD", local: nil, modified: old,
            report: "fetch done 200 0-99999", requests: ["GET"]),
        Row(
            testDescription: "shorter, same time: resumed after an overlap", local: 60_000, modified: old,
            report: "resume done 206 60000-99999",
            requests: ["HEAD", "GET bytes=43616-59999 \"v1\"", "GET bytes=43616-99999 \"v1\""]),
        Row(
            testDescription: "shorter, later time: resumed", local: 60_000, modified: old + 50,
            report: "resume done 206 60000-99999",
            requests: ["HEAD", "GET bytes=43616-59999 \"v1\"", "GET bytes=43616-99999 \"v1\""]),
        Row(
            testDescription: "empty: all of it", local: 0, modified: old, report: "resume done 200 0-99999",
            requests: ["HEAD", "GET"]),
        Row(
            testDescription: "equal: skipped", local: 100_000, modified: old, report: "skip unchanged 200 none",
            requests: ["HEAD"]),
        Row(
            testDescription: "larger: deleted", local: 120_000, modified: old, report: "delete done 200 0-99999",
            requests: ["HEAD", "GET"]),
        Row(
            testDescription: "shorter, earlier time: replaced", local: 60_000, modified: old - 1,
            report: "replace done 200 0-99999", requests: ["HEAD", "GET"]),
        Row(
            testDescription: "equal, earlier time: replaced", local: 100_000, modified: old - 1,
            report: "replace done 200 0-99999", requests: ["HEAD", "GET"]),
    ]

    @Test("the five rules", arguments: rows)
    func rules(_ row: Row) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        if let local = row.local { site.put("a.bin", bytes(local), modified: row.modified) }
        let report = try await site.sync(paths: "/a.bin")
        #expect(report.lines == [row.report])
        #expect(report.run.exitCode == .inLine)
        #expect(report.files[0].localSize == row.local.map(Int64.init))
        #expect(report.files[0].remoteSize == 100_000)
        #expect(site.origin.lines() == row.requests)
        #expect(site.holds("a.bin", Self.body))
        #expect(row.report.hasPrefix("skip") || site.modified("a.bin") == Self.old)
        #expect(site.partials == [])
    }

    private func bytes(_ count: Int) -> [UInt8] {
        let body = Self.body.allBytes
        return count <= body.count ? Array(body[..<count]) : body + Array(repeating: 7, count: count - body.count)
    }

    @Test(
        "--size-only: sizes alone decide",
        arguments: [
            (60_000, "resume done 206 60000-99999"), (100_000, "skip unchanged 200 none"),
            (120_000, "delete done 200 0-99999"),
        ])
    func sizeOnly(local: Int, line: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        site.put("a.bin", bytes(local), modified: Self.old - 1_000)
        let report = try await site.sync(paths: "/a.bin") { $0.sizeOnly = true }
        #expect(report.lines == [line])
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("--size-only takes no notice of a new ETag of the same size")
    func sizeOnlyIgnoresETag() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        try await site.sync(paths: "/a.bin")
        site.origin.serve("/a.bin", .plain(.sized(100_000, seed: 2), version: 2))
        #expect(try await site.file("/a.bin") { $0.sizeOnly = true }.line == "skip unchanged 200 none")
        #expect(try await site.file("/a.bin").line == "replace done 200 0-99999")
        #expect(site.holds("a.bin", .sized(100_000, seed: 2)))
    }

    @Test("--ignore-existing asks nothing and leaves what is there")
    func ignoreExisting() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        site.put("a.bin", [1, 2, 3], modified: 0)
        let report = try await site.sync(paths: "/a.bin", "/missing.bin") { $0.ignoresExisting = true }
        #expect(report.files[0].line == "skip unchanged none")
        #expect(site.origin.lines(for: "/a.bin") == [])
        #expect(site.bytes("a.bin") == [1, 2, 3])
    }

    // SHA-256 of «abc» and of nothing else.
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test("--checksum: an equal one needs no server, whatever size and time say")
    func checksumEqual() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abc")))
        site.put("a", Array("abc".utf8), modified: 0)
        let report = try await site.sync("\(site.origin.url("/a"))\n  checksum=sha-256=\(Self.abc)\n") {
            $0.comparesChecksums = true
        }
        #expect(report.lines == ["skip unchanged none"])
        #expect(site.origin.lines() == [])
    }

    @Test("--checksum: a different one replaces a file of the same size and time")
    func checksumDiffers() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(.text("abc")))
        site.put("a", Array("abd".utf8), modified: Self.old)
        let report = try await site.sync("\(site.origin.url("/a"))\n  checksum=sha-256=\(Self.abc)\n") {
            $0.comparesChecksums = true
        }
        #expect(report.files[0].action == .replace)
        #expect(report.files[0].checksumVerified)
        #expect(site.text("a") == "abc")
        #expect(site.origin.lines() == ["GET"])
    }

    @Test("a second run: one HEAD for each entry and no GET")
    func secondRun() async throws {
        let site = try SyncFixture()
        for name in ["/a.bin", "/b.bin", "/c.bin"] { site.origin.serve(name, .plain(Self.body)) }
        try await site.sync(paths: "/a.bin", "/b.bin", "/c.bin")
        let before = site.bytes("a.bin")
        site.origin.resetLog()
        let report = try await site.sync(paths: "/a.bin", "/b.bin", "/c.bin")
        #expect(report.lines == Array(repeating: "skip unchanged 200 none", count: 3))
        #expect(
            site.origin.log.map { "\($0.method) \($0.target)" }.sorted() == [
                "HEAD /a.bin", "HEAD /b.bin", "HEAD /c.bin",
            ])
        #expect(report.totals.bytesFetched == 0)
        #expect(site.bytes("a.bin") == before)
    }

    @Test("size unknown: 304 to a conditional GET is a skip", arguments: [true, false])
    func unknownSizeNotModified(wasFetchedByMirror: Bool) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.head = .noLength
            $0.framing = .chunked
            $0.range = .unknownTotal
        }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        if wasFetchedByMirror {
            try await site.sync(paths: "/a.bin")
        } else {
            site.put("a.bin", bytes(100_000), modified: Self.old)
        }
        site.origin.resetLog()
        let file = try await site.file("/a.bin")
        #expect(file.action == .skip && file.status == .unchanged)
        #expect(site.origin.bodyBytesSent < 100_000)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("size unknown and nothing to compare: fetched")
    func unknownSizeNothingToCompare() async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.head = .noLength
            $0.framing = .chunked
            $0.range = .ignore
            $0.validators = .none
        }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        site.put("a.bin", [1])
        let file = try await site.file("/a.bin")
        #expect(file.action == .replace && file.status == .done)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test(
        "N: validators of a file that mirror fetched",
        arguments: [
            ("C150 older Last-Modified than before is the server's truth", 0, "\"v1\"", "replace"),
            ("later Last-Modified, same ETag", 2, "\"v1\"", "replace"),
            ("other ETag, same Last-Modified", 1, "\"other\"", "replace"),
            ("nothing changed", 1, "\"v1\"", "skip"),
        ])
    func validators(name: String, version: Int, etag: String, action: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body))
        try await site.sync(paths: "/a.bin")
        var changed = Resource.plain(.sized(100_000, seed: 2), version: version)
        changed.etag = etag
        site.origin.serve("/a.bin", changed)
        #expect(try await site.file("/a.bin").action.rawValue == action, Comment(rawValue: name))
        #expect(site.holds("a.bin", action == "skip" ? Self.body : changed.body))
    }

    @Test(
        "C151 Last-Modified that is missing, not a date, or in the future",
        arguments: [
            nil, "yesterday", "Fri, 31 Dec 2049 23:59:59 GMT",
        ])
    func oddDates(lastModified: String?) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", Resource(body: Self.body, lastModified: lastModified))
        #expect(try await site.file("/a.bin").status == .done)
        #expect(try await site.file("/a.bin").line == "skip unchanged 200 none")
    }
}
