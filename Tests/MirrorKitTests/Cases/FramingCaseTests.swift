// Class E of the failure cases: codings, bodies that end early, and what is left of them for the next run.

import MirrorKit
import MirrorTestSupport
import Testing

struct FramingCaseTests {
    private static let old = Resource.seconds(1)
    private static let body = Body.sized(300_000)

    @Test("C052 a coded body counts as it comes, and one that is cut is not whole", arguments: [true, false])
    func coded(isCut: Bool) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.contentEncoding = "gzip"
            if isCut { $0.delivery = .cut(after: 200_000) }
        }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        let report = try await site.sync(paths: "/a.bin") { $0.retries = 1 }
        if isCut {
            // Nothing of it can be gone on from.
            site.expect(report, .someFailed, Expected("a.bin", "fetch failed 200 truncated", nil))
        } else {
            site.expect(report, .inLine, Expected("a.bin", "fetch done 200 0-299999", Self.body))
        }
    }

    @Test("C054 a part that comes coded, or the first half did: all of it again", arguments: [true, false], [1, 4])
    func codedPart(isFirstCoded: Bool, split: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { request in
            let isFirst = request.methodOrdinal == 0
            let faults = Faults {
                if isFirst { $0.delivery = .cut(after: 200_000) }
                if isFirst == isFirstCoded && (isFirstCoded || request.range != nil) { $0.contentEncoding = "gzip" }
            }
            return Resource.plain(Self.body, faults).answer(to: request)
        }
        let report = try await site.sync(paths: "/a.bin") { $0.split = split }
        site.expect(report, .inLine, Expected("a.bin", "fetch done 200 0-299999", Self.body))
    }

    @Test(
        "C056 C057 chunked without its last chunk or the last line: nothing of it stays, the old file does",
        arguments: [Framing.chunkedWithoutLast, .chunkedCutInTrailer], [true, false])
    func chunkedCut(framing: Framing, hasOld: Bool) async throws {
        let site = try SyncFixture()
        let old = Body.sized(1_000, seed: 7)
        if hasOld { site.put("a.bin", old.allBytes, modified: Self.old - 1) }
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.framing = framing }))
        let report = try await site.sync(paths: "/a.bin")
        site.expect(
            report, .someFailed,
            Expected(
                "a.bin", hasOld ? "replace failed 200 * truncated" : "fetch failed 200 truncated", hasOld ? old : nil))
        if hasOld { #expect(site.modified("a.bin") == Self.old - 1) }
        // All of the body each time, and never more: three copies say enough.
        #expect(site.origin.log.count { $0.method == "GET" } == 3)
        site.origin.serve("/a.bin", .plain(Self.body))
        site.expect(try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "* done 200 0-299999", Self.body))
    }

    @Test(
        "C058 ends with its connection, and nobody knows the length: taken, and the report says so",
        arguments: [true, false])
    func closeDelimited(hasLarger: Bool) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.framing = .closeDelimited
            $0.head = .noLength
            $0.range = .ignore
        }
        if hasLarger { site.put("a.bin", Self.body.allBytes + [1], modified: Self.old - 1) }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        let report = try await site.sync(paths: "/a.bin")
        site.expect(
            report, .inLine,
            Expected(
                "a.bin", "* done 200 0-299999", Self.body,
                reason: "the length is not proved: it ended with the connection"))
        // Where HEAD has the length it is proved.
        site.origin.serve("/a.bin", .plain(Self.body, version: 2, Faults { $0.framing = .closeDelimited }))
        let proved = try await site.sync(paths: "/a.bin")
        site.expect(proved, .inLine, Expected("a.bin", "replace done 200 0-299999", Self.body))
        #expect(!proved.files[0].reason.contains("not proved"))
    }

    @Test(
        "C058 ends with its connection, too early, and HEAD knows: both numbers, the old file stays",
        arguments: [true, false])
    func closeDelimitedEarly(hasOld: Bool) async throws {
        let site = try SyncFixture()
        let faults = Faults {
            $0.framing = .closeDelimited
            $0.delivery = .cut(after: 200_000)
            $0.range = .ignore
        }
        let old = Body.sized(400_000, seed: 7)
        if hasOld { site.put("a.bin", old.allBytes, modified: Self.old) }
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        let report = try await site.sync(paths: "/a.bin") { $0.retries = 1 }
        site.expect(
            report, .someFailed,
            Expected(
                "a.bin", hasOld ? "delete failed 200 0-299999 truncated" : "fetch failed 200 truncated",
                hasOld ? old : nil,
                message: "200000", "300000"))
    }

    @Test(
        "C059 C060 a clean end before Content-Length, in every run: never a file; what came is gone on from",
        arguments: [Ending.fin, .rst])
    func cutByProxy(ending: Ending) async throws {
        let site = try SyncFixture()
        site.origin.serve(
            "/a.bin",
            .plain(
                Self.body,
                Faults {
                    $0.range = .ignore
                    $0.delivery = .cut(after: 280_000, ending)
                }))
        for action in ["fetch", "resume"] {
            let report = try await site.sync(paths: "/a.bin") {
                $0.retries = 1
                $0.split = 1
            }
            site.expect(report, .someFailed, partials: 1, Expected("a.bin", "\(action) failed 200 **", nil))
        }
        site.origin.serve("/a.bin", .plain(Self.body))
        let report = try await site.sync(paths: "/a.bin")
        site.expect(report, .inLine, Expected("a.bin", "resume done 206 280000-299999", Self.body))
        #expect(report.files[0].bytesReused == 280_000)
    }

    @Test("C060 40 of 100 bytes under the final name, with and without a record: completed", arguments: [true, false])
    func truncatedFile(isRecorded: Bool) async throws {
        let site = try SyncFixture()
        let body = Body.sized(100)
        site.origin.serve("/a.bin", .plain(body))
        if isRecorded { try await site.sync(paths: "/a.bin") }
        site.put("a.bin", body.bytes(in: 0..<40), modified: Self.old)
        site.expect(try await site.sync(paths: "/a.bin"), .inLine, Expected("a.bin", "resume done 206 40-99", body))
    }

    @Test(
        "C061 dies at the same byte each time: given up after so many tries, what came is kept",
        arguments: [true, false], [1, 4])
    func sameOffset(takesRanges: Bool, split: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { request in
            let first: Int64 =
                switch request.range {
                case .from(let first), .between(let first, _): first
                default: 0
                }
            let faults = Faults {
                $0.range = takesRanges ? .honour : .ignore
                $0.delivery = takesRanges && first >= 200_000 ? .cut(after: 0) : .cut(atOffset: 200_000)
            }
            return Resource.plain(Self.body, faults).answer(to: request)
        }
        let report = try await site.sync(paths: "/a.bin") {
            $0.split = split
            $0.minimumSplitSize = 50_000
        }
        site.expect(report, .someFailed, partials: 1, Expected("a.bin", "fetch failed * truncated", nil))
        #expect(report.files[0].attempts <= 8)
        // Without ranges each try begins again; with them little is sent twice.
        #expect(report.files[0].bytesFetched < (takesRanges ? 600_000 : 1_600_000))
        site.origin.serve("/a.bin", .plain(Self.body))
        let next = try await site.sync(paths: "/a.bin")
        site.expect(next, .inLine, Expected("a.bin", "resume done 206 *", Self.body))
        #expect(next.files[0].bytesReused >= 200_000)
    }

    @Test(
        "C059 what the report says of an answer that breaks off or makes no sense is a sentence with numbers",
        arguments: [
            (
                Faults { $0.delivery = .cut(after: 200_000) }, "truncated",
                "the answer ended after 200000 of 300000 bytes"
            ),
            (Faults { $0.framing = .chunkedWithoutLast }, "truncated", "the answer ended early, after 300000 bytes"),
            (Faults { $0.delivery = .closed(.fin) }, "connect", "the server closed the connection without an answer"),
            (Faults { $0.framing = .lengths(["abc"]) }, "http", "the server's answer cannot be understood"),
            (Faults { $0.framing = .lengths(["5", "9"]) }, "http", "the server names no length that can be read"),
            (Faults { $0.delivery = .stall(after: 200_000) }, "timeout", "no byte came for 1 s"),
        ])
    func sentences(faults: Faults, code: String, sentence: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, faults))
        let report = try await site.sync(paths: "/a.bin") {
            $0.retries = 0
            $0.split = 1
            $0.transport.stallTimeout = .seconds(1)
        }
        let partials = faults.framing == .length && code != "connect" ? 1 : 0
        site.expect(
            report, .someFailed, partials: partials,
            Expected("a.bin", "fetch failed ** \(code)", nil, message: sentence))
    }

    @Test(
        "what is no HTTP, or garbled in the middle, is said to be that",
        arguments: [
            ("just some text\n\n", "what the server sends is no HTTP answer"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "the server's answer cannot be understood"),
        ])
    func noHTTP(head: String, sentence: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin") { _ in
            var answer = Answer(status: 200)
            answer.rawHead = Array(head.utf8)
            answer.closes = true
            return answer
        }
        let report = try await site.sync(paths: "/a.bin") { $0.retries = 1 }
        site.expect(report, .someFailed, Expected("a.bin", "fetch failed ** http", nil, message: sentence))
    }
}
