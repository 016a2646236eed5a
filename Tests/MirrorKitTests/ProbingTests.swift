// What is done when HEAD is refused, useless or wrong (class D).

import MirrorKit
import MirrorTestSupport
import Testing

struct ProbingTests {
    private static let old = Resource.seconds(1)
    private static let body = Body.sized(10_000)

    private func makeSite(_ faults: Faults, local: Int = 10_000) throws -> SyncFixture {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        site.put("a.bin", Array(Self.body.allBytes[..<local]), modified: Self.old)
        return site
    }

    @Test(
        "C044 C045 HEAD refused, GET works: the first byte is asked for",
        arguments: [400, 401, 403, 404, 405, 410, 500, 501, 502, 504])
    func refused(status: Int) async throws {
        let site = try makeSite(Faults { $0.head = .status(status) })
        let file = try await site.file("/a.bin")
        #expect(file.line == "skip unchanged 206 none")
        #expect(site.origin.lines() == ["HEAD", "GET bytes=0-0"])
        #expect(site.origin.bodyBytesSent < 1_000)
    }

    @Test("C044 an origin that refuses HEAD is not asked that way for every file")
    func rememberedForTheOrigin() async throws {
        let site = try SyncFixture()
        let names = (0..<20).map { "/file-\($0)" }
        for name in names {
            site.origin.serve(name, .plain(Self.body, Faults { $0.head = .status(405) }))
            site.put(String(name.dropFirst()), Self.body.allBytes, modified: Self.old)
        }
        let report = try await site.sync(names.map { site.origin.url($0) + "\n" }.joined())
        #expect(report.totals.actions[.skip] == 20)
        // No more than were under way before the first answer came.
        #expect(site.origin.log.count { $0.method == "HEAD" } <= 16)
    }

    @Test("C047 HEAD with no length or length 0 says nothing", arguments: [Faults.HeadHandling.zeroLength, .noLength])
    func noLength(head: Faults.HeadHandling) async throws {
        let site = try makeSite(Faults { $0.head = head })
        #expect(try await site.file("/a.bin").line == "skip unchanged 206 none")
        #expect(site.origin.lines() == ["HEAD", "GET bytes=0-0"])
    }

    @Test("C047 HEAD with length 0 does not make a file that is there too large", arguments: [true, false])
    func zeroLengthIsNoTruth(takesRanges: Bool) async throws {
        let site = try makeSite(
            Faults {
                $0.head = .zeroLength
                $0.range = takesRanges ? .honour : .ignore
            })
        #expect(try await site.file("/a.bin").action == .skip)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("C048 the coded length of HEAD is not compared with the file's size")
    func codedLength() async throws {
        let site = try makeSite(Faults { $0.head = .encoded("gzip", length: 66) })
        let file = try await site.file("/a.bin")
        #expect(file.action == .skip && file.status == .unchanged)
        #expect(site.holds("a.bin", Self.body))
        #expect(site.origin.log.allSatisfy { $0.headers["Accept-Encoding"] == "identity" })
    }

    @Test("C049 a server that always codes: one fetch, then skipped for its validators")
    func alwaysCoded() async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.head = .encoded("gzip", length: 4_000)
            $0.contentEncoding = "gzip"
        }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.holds("a.bin", Self.body))
        site.origin.resetLog()
        #expect(try await site.file("/a.bin").status == .unchanged)
        #expect(site.origin.log.allSatisfy { $0.method == "HEAD" || $0.status == 304 })
    }

    @Test("C050 HEAD and GET disagree: GET wins", arguments: [5_000, 12_000] as [Int64])
    func lengthsDisagree(claim: Int64) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.head = .length(claim) }))
        site.put("a.bin", [1, 2, 3], modified: Self.old - 10)
        let file = try await site.file("/a.bin")
        #expect(file.action == .replace && file.status == .done)
        #expect(file.remoteSize == 10_000)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("a HEAD that says less than the local file has: nothing is lost, the GET decides")
    func claimOfLess() async throws {
        let site = try makeSite(Faults { $0.head = .length(4_000) })
        let file = try await site.file("/a.bin")
        #expect(file.action == .delete && file.status == .done)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test(
        "C030 C044 HEAD and first byte refused for a file that is there: a plain GET decides",
        arguments: [400, 401, 403, 404, 405, 410, 500, 501, 504])
    func plainGET(status: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") {
            $0.method == "HEAD" || $0.headers["Range"] != nil
                ? .status(status) : Resource.plain(Self.body).answer(to: $0)
        }
        site.put("a.bin", [1, 2, 3], modified: Self.old - 10)
        let file = try await site.file("/a.bin") { $0.retries = 0 }
        #expect(file.line == "replace done 200 0-9999")
        #expect(file.reason == "the remote size is not known; the server answered \(status) when asked for it")
        #expect(site.holds("a.bin", Self.body))
        #expect(site.origin.lines() == ["HEAD", "GET bytes=0-0", "GET"])
        site.origin.resetLog()
        // The GET is conditional: a mirror that is in line costs no bytes.
        let again = try await site.file("/a.bin") { $0.retries = 0 }
        #expect(again.action == .skip && again.status == .unchanged && again.httpStatus == 304)
        #expect(again.bytesFetched == 0)
    }

    @Test("HEAD and every GET refused for a file that is there: it stays, and that is a failure")
    func allRefused() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { _ in .status(403) }
        site.put("a.bin", [1, 2, 3], modified: Self.old)
        let file = try await site.file("/a.bin")
        #expect(file.line == "replace failed 403 forbidden")
        #expect(site.bytes("a.bin") == [1, 2, 3])
        #expect(site.origin.lines() == ["HEAD", "GET bytes=0-0", "GET"])
    }

    @Test("a partial file of a server that refuses all for a while is not lost")
    func partialStays() async throws {
        let site = try SyncFixture()
        let body = Body.sized(500_000)
        site.origin.serve("/a.bin", .plain(body, Faults { $0.delivery = .cut(atOffset: 300_000) }))
        try await site.sync(paths: "/a.bin") { $0.retries = 0 }
        #expect(site.partials.count == 1)
        site.origin.serve("/a.bin") { _ in .status(403) }
        #expect(try await site.file("/a.bin").line == "resume failed 403 300000-499999 forbidden")
        site.origin.serve("/a.bin", .plain(body))
        let file = try await site.file("/a.bin")
        #expect(file.action == .resume && file.status == .done && file.bytesReused == 300_000)
        #expect(site.holds("a.bin", body))
    }

    @Test("an alternate that may answer a plain GET is not given up for a first URL that cannot be reached")
    func refusedAlternate() async throws {
        let site = try SyncFixture()
        let dead = try DeadPort()
        site.origin.serve("/a.bin") {
            $0.method == "HEAD" || $0.headers["Range"] != nil
                ? .status(403) : Resource.plain(Self.body).answer(to: $0)
        }
        site.put("a.bin", [1, 2, 3], modified: Self.old - 10)
        let report = try await site.sync("\(dead.url("/a.bin"))\t\(site.origin.url("/a.bin"))\n") { $0.retries = 0 }
        #expect(report.files[0].status == .done)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test(
        "HEAD that never answers or is cut: tried again, and then the file is fetched", arguments: [Ending.fin, .rst])
    func headCut(ending: Ending) async throws {
        let site = try SyncFixture()
        var resource = Resource.plain(Self.body, Faults { $0.head = .closed(ending) })
        resource.faultyRequests = 1
        site.origin.serve("/a.bin", resource)
        site.put("a.bin", [1], modified: Self.old - 1)
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.origin.lines() == ["HEAD", "HEAD", "GET"])
        #expect(site.clock.sleeps == [.milliseconds(250)])
    }

    @Test("HEAD that fails for good where GET works: the file is not given up", arguments: [Ending.fin, .rst])
    func headAlwaysCut(ending: Ending) async throws {
        let site = try makeSite(Faults { $0.head = .closed(ending) })
        let file = try await site.file("/a.bin")
        #expect(file.line == "skip unchanged 206 none")
        #expect(site.origin.lines() == ["HEAD", "HEAD", "GET bytes=0-0"])
    }

    @Test("C030 the first byte sent without Content-Range: still fetched")
    func probeWithoutContentRange() async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.head = .status(405)
            $0.range = .noContentRange(wholeBody: false)
            $0.framing = .chunked
        }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        site.put("a.bin", [1], modified: Self.old - 1)
        #expect(try await site.file("/a.bin").status == .done)
        #expect(site.holds("a.bin", Self.body))
    }

    @Test("C036 a complete file: no request beyond HEAD, and success")
    func completeFile() async throws {
        let site = try makeSite(Faults { $0.range = .notSatisfiable })
        #expect(try await site.file("/a.bin").line == "skip unchanged 200 none")
        #expect(site.origin.lines() == ["HEAD"])
    }

    @Test("a missing file is fetched without HEAD even where HEAD would hang")
    func missingNeedsNoHead() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.head = .hang }))
        #expect(try await site.file("/a.bin").line == "fetch done 200 0-9999")
        #expect(site.origin.lines() == ["GET"])
    }
}
