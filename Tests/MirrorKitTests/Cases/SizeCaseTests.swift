// Classes B to D and F of the failure cases, as far as they are about sizes: ranges and their totals, empty files, HEAD
// that lies, numbers that cannot be.

import MirrorKit
import MirrorTestSupport
import Testing

struct SizeCaseTests {
    private static let old = Resource.seconds(1)
    private static let body = Body.sized(300_000)

    @Test(
        "C019 ranges are promised and answered with 200: one whole stream, with one connection too", arguments: [1, 4])
    func promisedRanges(split: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.range = .ignore }))
        site.put("a.bin", Self.body.bytes(in: 0..<299_744), modified: Self.old)
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 50_000
        }
        site.expect(report, .inLine, Expected("a.bin", "resume done 200 299744-299999", Self.body))
        #expect(site.origin.log.count <= 5)
    }

    @Test(
        "C024 C051 the source says 49 bytes fewer than the server: both numbers, the old file stays",
        arguments: [true, false])
    func advertisedSize(hasOld: Bool) async throws {
        let site = try SyncFixture()
        let old = Body.sized(123, seed: 9)
        if hasOld { site.put("a.bin", old.allBytes, modified: 0) }
        site.origin.serve("/a.bin", .plain(Self.body))
        let report = try await site.sync("\(site.origin.url("/a.bin"))\n  size=299951\n")
        site.expect(
            report, .someFailed,
            Expected(
                "a.bin", hasOld ? "replace failed 200 0-299999 size-mismatch" : "fetch failed 200 size-mismatch",
                hasOld ? old : nil, message: "299951", "300000"))
        #expect(site.origin.log.count { $0.method == "GET" } == 2)
    }

    @Test("C026 one byte an answer: bounded, and every byte right")
    func oneByteAnswers() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.range = .short(maxBytes: 1) }))
        site.put("a.bin", Self.body.bytes(in: 0..<200_000), modified: Self.old)
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "resume done 200 200000-299999", Self.body)
        )
        #expect(site.origin.log.count < 20)
    }

    @Test(
        "C031 C040 no bytes and one byte: no range is asked for, and the next run skips", arguments: [0, 1] as [Int64])
    func tiny(size: Int64) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(.sized(size)))
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = 16
            $0.minimumSplitSize = 1
        }
        site.expect(
            report, .inLine, Expected("a.bin", size == 0 ? "fetch done 200 none" : "fetch done 200 0-0", .sized(size)))
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "skip unchanged 200 none", .sized(size)))
        #expect(site.origin.lines() == ["GET", "HEAD"])
    }

    // MARK: 416 and 412

    @Test("C035 C036 complete, and 416 with a page to everything else: success, and not a byte more")
    func completeFile() async throws {
        let site = try SyncFixture()
        let body = Body.sized(100)
        site.origin.serve("/a.bin", .plain(body, Faults { $0.range = .answer(.status(416)) }))
        site.put("a.bin", body.allBytes, modified: Self.old)
        site.expect(try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "skip unchanged 200 none", body))
        #expect(site.origin.lines() == ["HEAD"])
    }

    @Test(
        "C035 C038 C039 the part no longer fits: 416 with, without and with a wrong total, or 412: one clean restart",
        arguments: ["*/100000", nil, "*/7", "412"], [1, 4])
    func partDoesNotFit(answer: String?, split: Int) async throws {
        let site = try SyncFixture()
        var cut = Resource.plain(Self.body)
        cut.faults.delivery = .cut(after: 200_000)
        site.origin.serve("/a.bin", cut)
        try await site.sync(paths: "/a.bin") {
            $0.split = 1
            $0.retries = 0
        }
        let small = Body.sized(100_000, seed: 4)
        site.origin.resetLog()
        site.origin.serve("/a.bin") { request in
            // HEAD is behind: only the answer to the range tells.
            if request.method == "HEAD" { return Resource.plain(Self.body).answer(to: request) }
            guard request.range != nil else { return Resource.plain(small, version: 2).answer(to: request) }
            if answer == "412" { return .status(412) }
            return .status(416, headers: Headers(answer.map { [Headers.Field("Content-Range", "bytes \($0)")] } ?? []))
        }
        let report = try await site.sync(paths: "/a.bin") { $0.split = split }
        site.expect(
            report, .inLine,
            Expected("a.bin", "resume done 200 200000-299999", small, reason: "begun again: the remote file changed"))
        #expect(site.origin.log.count == 3)
    }

    @Test(
        "C041 empty without a length: taken where nothing contradicts it, and said to be unproved",
        arguments: [0, 100] as [Int64])
    func closedWithoutBody(claim: Int64) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.framing = .closeDelimited
            if claim > 0 { $0.head = .length(claim) }
        }
        site.origin.serve("/a.bin", .plain(.bytes([]), faults))
        let report = try await site.sync(paths: "/a.bin")
        if claim > 0 {
            site.expect(
                report, .someFailed, Expected("a.bin", "fetch failed 200 truncated", nil, message: "0 of 100 bytes"))
        } else {
            site.expect(
                report, .inLine, Expected("a.bin", "fetch done 200 none", .bytes([]), reason: "not proved"))
        }
    }

    @Test("C041 C047 GET has nothing of a file that HEAD said has bytes: both numbers, and the old file stays")
    func emptyAgainstClaim() async throws {
        let site = try SyncFixture()
        let old = Body.sized(50, seed: 2)
        site.put("a.bin", old.allBytes, modified: Self.old - 5)
        site.origin.serve("/a.bin", .plain(.bytes([]), Faults { $0.head = .length(300_000) }))
        let report = try await site.sync(paths: "/a.bin")
        site.expect(
            report, .someFailed,
            Expected("a.bin", "replace failed 200 0-299999 size-mismatch", old, message: "300000", "sends 0"))
    }

    // MARK: HEAD

    @Test(
        "C044 C045 HEAD refused: judged by GET, for a missing, an older, a short and an equal file",
        arguments: [400, 401, 403, 404, 405, 410, 500, 501])
    func headRefused(status: Int) async throws {
        let site = try SyncFixture()
        let names = ["missing", "older", "short", "equal"]
        for name in names { site.origin.serve("/\(name)", .plain(Self.body, Faults { $0.head = .status(status) })) }
        site.put("older", Self.body.allBytes, modified: Self.old - 1)
        site.put("short", Self.body.bytes(in: 0..<100_000), modified: Self.old)
        site.put("equal", Self.body.allBytes, modified: Self.old)
        let report = try await site.sync(paths: "/missing", "/older", "/short", "/equal")
        site.expect(
            report, .inLine, Expected("missing", "fetch done 200 0-299999", Self.body),
            Expected("older", "replace done 200 0-299999", Self.body),
            Expected("short", "resume done 206 100000-299999", Self.body),
            Expected("equal", "skip unchanged 206 none", Self.body))
    }

    @Test(
        "C047 HEAD says 0: the file that is missing is fetched, the one that is there stays", arguments: [true, false])
    func headSaysZero(takesRanges: Bool) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.head = .zeroLength
            $0.range = takesRanges ? .honour : .ignore
        }
        for name in ["missing", "there"] { site.origin.serve("/\(name)", .plain(Self.body, faults)) }
        site.put("there", Self.body.allBytes, modified: Self.old)
        let report = try await site.sync(paths: "/missing", "/there")
        site.expect(
            report, .inLine, Expected("missing", "fetch done 200 0-299999", Self.body),
            Expected("there", "skip unchanged * none", Self.body))
    }

    @Test("C048 HEAD has the coded length: short, equal and larger files are judged by the first byte")
    func codedHead() async throws {
        let site = try SyncFixture()
        let names = ["short", "equal", "larger"]
        for name in names {
            site.origin.serve("/\(name)", .plain(Self.body, Faults { $0.head = .encoded("gzip", length: 66) }))
        }
        site.put("short", Self.body.bytes(in: 0..<100_000), modified: Self.old)
        site.put("equal", Self.body.allBytes, modified: Self.old)
        site.put("larger", Self.body.allBytes + [1], modified: Self.old)
        let report = try await site.sync(paths: "/short", "/equal", "/larger")
        site.expect(
            report, .inLine, Expected("short", "resume done 206 100000-299999", Self.body),
            Expected("equal", "skip unchanged 206 none", Self.body),
            Expected("larger", "delete done 200 0-299999", Self.body))
        #expect(site.origin.log.allSatisfy { $0.headers["Accept-Encoding"] == "identity" })
    }

    @Test(
        "C049 C052 a server that always codes: as it came, exit 0, and never a second time",
        arguments: [Framing.length, .chunked])
    func alwaysCoded(framing: Framing) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.head = .encoded("gzip", length: 4_000)
            $0.contentEncoding = "gzip"
            $0.framing = framing
        }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "fetch done 200 0-299999", Self.body))
        site.origin.resetLog()
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "skip unchanged 200 none", Self.body))
        #expect(site.origin.lines() == ["HEAD"])
    }

    @Test(
        "C050 HEAD is wrong for good: GET decides, and the next run does not fetch again",
        arguments: [250_000, 350_000] as [Int64],
        [
            (true, Framing.length), (true, .chunked), (false, .length), (false, .chunked),
        ])
    func headIsWrong(claim: Int64, server: (hasValidators: Bool, framing: Framing)) async throws {
        let (hasValidators, framing) = server
        let site = try SyncFixture()
        let faults = Faults {
            $0.head = .length(claim)
            $0.framing = framing
            // Chunked bodies are made as they go: no ranges.
            if framing == .chunked { $0.range = .ignore }
            if !hasValidators { $0.validators = .none }
        }
        let names = ["missing", "older", "equal"]
        for name in names { site.origin.serve("/\(name)", .plain(Self.body, faults)) }
        site.put("older", [1, 2, 3], modified: Self.old - 1)
        site.put("equal", Self.body.allBytes, modified: Self.old)
        let report = try await site.sync(paths: "/missing", "/older", "/equal")
        site.expect(
            report, .inLine, Expected("missing", "fetch done 200 0-299999", Self.body),
            Expected("older", "* done 200 *", Self.body), Expected("equal", "* done 200 *", Self.body))
        // With neither length nor validators there is nothing to compare.
        guard framing == .length || hasValidators else { return }
        let again = try await site.sync(paths: "/missing", "/older", "/equal")
        #expect(again.run.exitCode == .inLine)
        #expect(again.files.map(\.action) == [.skip, .skip, .skip], "\(again.files.map(\.reason))")
        #expect(again.totals.bytesFetched < 1_000_000)
    }

    @Test("C050 less than HEAD said, once: a cut copy on the way is not taken", arguments: [Framing.length, .chunked])
    func lessOnce(framing: Framing) async throws {
        let site = try SyncFixture()
        let whole = Resource.plain(Self.body, Faults { $0.framing = framing })
        let cut = Resource.plain(.bytes(Self.body.bytes(in: 0..<200_000)), Faults { $0.framing = framing })
        site.origin.serve("/a.bin") { request in
            (request.method == "GET" && request.methodOrdinal == 0 ? cut : whole).answer(to: request)
        }
        site.put("a.bin", [1, 2, 3], modified: Self.old - 1)
        site.expect(
            try await site.sync(paths: "/a.bin") { $0.split = 1 }, .inLine,
            Expected("a.bin", "replace done 200 0-299999", Self.body))
    }

    // MARK: Numbers

    @Test("C064 sizes modulo 2^32: the source knows better, and nothing is taken", arguments: [1 << 30, 0] as [Int64])
    func modulo(claim: Int64) async throws {
        let site = try SyncFixture()
        let faults = Faults { $0.head = .length(claim) }
        for name in ["missing", "there"] { site.origin.serve("/\(name)", .plain(.sized(claim), faults)) }
        let old = Body.sized(1_000, seed: 7)
        site.put("there", old.allBytes, modified: Self.old)
        let report = try await site.sync(
            "\(site.origin.url("/missing"))\n  size=5368709120\n\(site.origin.url("/there"))\n  size=5368709120\n")
        let numbers = ["5368709120", String(claim)]
        site.expect(
            report, .someFailed,
            Expected("missing", "fetch failed 200 size-mismatch", nil, message: numbers[0], numbers[1]),
            Expected(
                "there", "replace failed 200 * size-mismatch", old, message: numbers[0], numbers[1]))
        #expect(site.origin.bodyBytesSent < 64 << 20)
    }

    @Test(
        "C065 lengths that cannot be: a failure of that file alone",
        arguments: [
            ["9223372036854775807"], ["1152921504606846977"], ["99999999999999999999"], ["-1"], ["abc"], [""],
            ["5", "9"], ["300000, 300001"], ["+300000"], ["0x10"],
        ])
    func absurdLengths(lengths: [String]) async throws {
        let site = try SyncFixture()
        let faults = Faults { $0.framing = .lengths(lengths) }
        for name in ["missing", "there"] { site.origin.serve("/\(name)", .plain(Self.body, faults)) }
        site.origin.serve("/good", .plain(Self.body))
        let old = Body.sized(1_000, seed: 7)
        site.put("there", old.allBytes, modified: Self.old - 1)
        let report = try await site.sync(paths: "/missing", "/good", "/there") { $0.retries = 1 }
        // What libcurl refuses has no head that could be judged.
        site.expect(
            report, .someFailed, Expected("missing", "fetch failed ** http", nil),
            Expected("good", "fetch done 200 0-299999", Self.body),
            Expected("there", "replace failed ** http", old))
    }

    @Test("C065 one length, said twice, is one", arguments: [["300000", "300000"], ["300000, 300000"]])
    func repeatedLength(lengths: [String]) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.framing = .lengths(lengths) }))
        site.expect(
            try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "fetch done 200 0-299999", Self.body))
    }

    @Test(
        "C065 Content-Range values that cannot be: a plain GET, and right bytes",
        arguments: [
            "bytes 9223372036854775807-9223372036854775807/9223372036854775807", "bytes -5-3/10", "-0.99",
            "bytes 200000-299999/9223372036854775807", "bytes 299999-200000/300000", "bytes */*", "",
        ], [1, 4])
    func absurdRanges(text: String, split: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.range = .contentRange(text) }))
        site.put("a.bin", Self.body.bytes(in: 0..<200_000), modified: Self.old)
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 20_000
        }
        site.expect(report, .inLine, Expected("a.bin", "resume done 200 200000-299999", Self.body))
        #expect(site.origin.log.count < 20)
    }
}
