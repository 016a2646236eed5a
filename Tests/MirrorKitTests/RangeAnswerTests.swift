// Answers to range requests that are not what was asked for (class B), to one of several ranges of a new file and to
// the request that goes on with a partial one. The bytes are right in every case.

import MirrorKit
import MirrorTestSupport
import Testing

struct RangeAnswerTests {
    private static let size: Int64 = 512 << 10
    private static let body = Body.sized(size)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let range: RangeHandling
        init(_ name: String, _ range: RangeHandling) {
            testDescription = name
            self.range = range
        }
    }

    private static let rows = [
        Row("as asked", .honour),
        Row("C018 C019 200 with all of it", .ignore),
        Row("C025 206 from 0", .fromZero),
        Row("C021 206 that begins 488 bytes early", .earlyStart(by: 488)),
        Row("C021 206 that begins 100 kB early", .earlyStart(by: 100_000)),
        Row("C026 206 of at most 20 kB", .short(maxBytes: 20_000)),
        Row("C026 206 of at most 10 kB", .short(maxBytes: 10_000)),
        Row("C022 206 without Content-Range, the slice", .noContentRange(wholeBody: false)),
        Row("C022 206 without Content-Range, all of it", .noContentRange(wholeBody: true)),
        Row("C023 the slice as 200", .sliceWith200),
        Row("C024 a larger total", .wrongTotal(size + 49)),
        Row("C024 a smaller total", .wrongTotal(size - 1)),
        Row("no total", .unknownTotal),
        Row("Content-Range that cannot be read", .contentRange("bytes 1-2-3/4")),
        Row("Content-Range of other bytes", .contentRange("bytes 0-9/\(size)")),
        Row("Content-Range beyond all numbers", .contentRange("bytes 0-99999999999999999999/\(size)")),
        Row("C032 multipart", .multipart),
        Row("C033 more bytes than the range, counted", .excess(bytes: 5_000, counted: true)),
        Row("C033 more bytes than the range, not counted", .excess(bytes: 5_000, counted: false)),
        Row("416 for bytes that are there", .notSatisfiable),
        Row("C039 412", .preconditionFailed),
        Row("C025 the connection closed without an answer", .answer(.closed(.fin))),
        Row("C025 the connection reset", .answer(.closed(.rst))),
        Row("C030 a redirect that never ends", .answer(.redirect(to: "/a.bin"))),
        Row("C030 404", .answer(.status(404))),
        Row("C083 403", .answer(.status(403))),
        Row("a server error", .answer(.status(500))),
        Row("C034 an HTML page as 200", .answer(.htmlPage())),
        Row("C034 an HTML page as 206", .answer(.htmlPage(status: 206))),
    ]

    @Test("C018 C019 C021 C022 C023 C025 C032 C033 to the siblings of a first stream", arguments: rows)
    func siblings(_ row: Row) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        serve(site, gate) { $0.range = row.range }
        let report = try await site.sync(paths: "/a.bin") { $0.minimumSplitSize = 64 << 10 }
        site.expect(report, .inLine, Expected("a.bin", "fetch done * 0-\(Self.size - 1)", Self.body))
        #expect(site.origin.log.contains { $0.headers["Range"] != nil })
        #expect(site.origin.log.count < 200)
    }

    @Test("C034 C084 siblings refused while the first stream goes on", arguments: [403, 404, 429, 500, 503])
    func refusedSiblings(status: Int) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        serve(site, gate) { $0.range = .answer(.status(status)) }
        let report = try await site.sync(paths: "/a.bin") { $0.minimumSplitSize = 64 << 10 }
        site.expect(report, .inLine, Expected("a.bin", "fetch done * 0-\(Self.size - 1)", Self.body))
    }

    /// A file whose first answer waits until a range has been asked for, so that there are siblings; the faults are
    /// those of the ranges.
    private func serve(_ site: SyncFixture, _ gate: Gate, _ change: @escaping @Sendable (inout Faults) -> Void) {
        site.origin.serve("/a.bin") { request in
            if request.range != nil {
                gate.open()
                return Resource.plain(Self.body, Faults(change)).answer(to: request)
            }
            let faults = Faults { $0.delivery = .stall(after: 32 << 10, gate: gate) }
            return Resource.plain(Self.body, faults).answer(to: request)
        }
    }

    @Test(
        "C018 C021 C022 C023 C024 C025 C026 C032 C033 to a partial file of an earlier run", arguments: rows, [1, 4])
    func resumed(_ row: Row, split: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.delivery = .cut(after: 200_000) }))
        try await site.sync(paths: "/a.bin") {
            $0.retries = 0; $0.split = 1
        }
        #expect(site.partials.count == 1)
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.range = row.range }))
        site.origin.resetLog()
        let report = try await site.sync(paths: "/a.bin") {
            $0.minimumSplitSize = 64 << 10
            $0.split = split
        }
        site.expect(report, .inLine, Expected("a.bin", "resume done * 200000-\(Self.size - 1)", Self.body))
        #expect(site.origin.log.contains { $0.headers["Range"] != nil })
        #expect(site.origin.log.count < 200)
    }

    @Test("C018 C021 C030 to a short file that somebody else left", arguments: rows, [1, 4])
    func foreign(_ row: Row, split: Int) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(Self.body, Faults { $0.range = row.range }))
        site.put("a.bin", Array(Self.body.allBytes[..<200_000]), modified: Resource.seconds(1))
        let report = try await site.sync(paths: "/a.bin") {
            $0.minimumSplitSize = 64 << 10
            $0.split = split
        }
        site.expect(report, .inLine, Expected("a.bin", "resume done * 200000-\(Self.size - 1)", Self.body))
    }

    @Test("C031 no more ranges than the file holds", arguments: [1, 3, 99_999, 100_000, 100_001, 250_000] as [Int64])
    func smallFiles(size: Int64) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a.bin", .plain(.sized(size)))
        let report = try await site.sync(paths: "/a.bin") {
            $0.minimumSplitSize = 100_000
            $0.split = 16
        }
        site.expect(report, .inLine, Expected("a.bin", "fetch done * 0-\(size - 1)", .sized(size)))
        #expect(site.origin.log.count <= max(1, Int(size / 100_000) + 1))
        #expect(site.origin.log.allSatisfy { $0.status != 416 })
    }
}
