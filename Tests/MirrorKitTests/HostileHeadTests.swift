// Heads that mean harm: each is one failed file with a code of the contract and a sentence, and the other files of the
// run arrive.

import MirrorKit
import MirrorTestSupport
import Testing

struct HostileHeadTests {
    private static let body = Body.text("hello")

    /// A head, and what becomes of a file that is answered with it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let head: [UInt8]
        /// nil: the file arrives.
        let code: FailureCode?

        init(_ name: String, _ head: String, _ code: FailureCode?) {
            testDescription = name
            self.head = Array(head.utf8)
            self.code = code
        }
    }

    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"

    private static func whole(_ field: String) -> String { "\(good)\(field)\r\n\r\n" }

    private static func length(_ fields: String...) -> String {
        "HTTP/1.1 200 OK\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    static let rows: [Row] = [
        Row("a million header fields", whole(String(repeating: "X: y\r\n", count: 1_000_000) + "X: y"), .http),
        Row("a field of 1 MiB", whole("X: " + String(repeating: "y", count: 1 << 20)), .http),
        Row("a name of 1 MiB", whole(String(repeating: "y", count: 1 << 20) + ": x"), .http),
        Row("a million interim answers", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1_000_000), .http),
        Row("a million early hints", String(repeating: "HTTP/1.1 103 X\r\nA: b\r\n\r\n", count: 1_000_000), .http),
        Row("a flood of cookies", whole(String(repeating: "Set-Cookie: a=b\r\n", count: 20_000) + "X: y"), .http),
        Row("many cookies", whole(String(repeating: "Set-Cookie: a=b\r\n", count: 5_000) + "X: y"), nil),
        Row("an ETag of 90,000 bytes", whole("ETag: \"" + String(repeating: "e", count: 90_000) + "\""), nil),
        Row("an ETag with control bytes", whole("ETag: \"\u{1B}[2J\u{7}\""), nil),
        Row("a date with a CR in it", whole("Last-Modified: x\rEvil: 1"), nil),
        Row("a date in the year 99999", whole("Last-Modified: Mon, 01 Jan 99999 00:00:00 GMT"), nil),
        Row("a date before all years", whole("Last-Modified: Mon, 01 Jan -001 00:00:00 GMT"), nil),
        Row("a media type that is none", whole("Content-Type: \u{1B}]0;\u{7F};;;=//"), nil),
        Row("ranges that nobody knows", whole("Accept-Ranges: bananas"), nil),
        Row("a Content-Range with 200", whole("Content-Range: bytes 9-1/0"), .range),
        Row("a line without a colon", whole("nonsense"), .http),
        Row("a second status line", whole("HTTP/1.1 206 Partial Content"), .http),
        Row("a file name of 4,000 bytes", whole("Content-Disposition: attachment; filename=" + longName), nil),
        Row("status 000", "HTTP/1.1 000 X\r\nContent-Length: 5\r\n\r\n", .http),
        Row("status 099", "HTTP/1.1 099 X\r\nContent-Length: 5\r\n\r\n", .http),
        Row("status 600", "HTTP/1.1 600 X\r\nContent-Length: 5\r\n\r\n", .http),
        Row("status 999", "HTTP/1.1 999 X\r\nContent-Length: 5\r\n\r\n", .http),
        Row("status 1000", "HTTP/1.1 1000 X\r\nContent-Length: 5\r\n\r\n", .http),
        Row("status 2000", "HTTP/1.1 2000 X\r\nContent-Length: 5\r\n\r\n", .http),
        Row("no status", "HTTP/1.1\r\nContent-Length: 5\r\n\r\n", .http),
        Row("HTTP/0.9", "", .http),
        Row("206 that nobody asked for", "HTTP/1.1 206 X\r\nContent-Range: bytes 0-4/99\r\n\r\n", .range),
        Row("206 without Content-Range", "HTTP/1.1 206 X\r\nContent-Length: 5\r\n\r\n", .range),
        Row("a Content-Range beyond 64 bits", "HTTP/1.1 206 X\r\nContent-Range: bytes 0-4/\(beyond)\r\n\r\n", .range),
        Row("two lengths that agree", length("Content-Length: 5", "Content-Length: 5"), nil),
        Row("a length and a transfer coding", length("Content-Length: 5", "Transfer-Encoding: chunked"), .http),
        Row("two lengths that agree, in one line", length("Content-Length: 5, 5"), nil),
        Row("two lengths that differ", length("Content-Length: 5", "Content-Length: 6"), .http),
        Row("two lengths that differ, in one line", length("Content-Length: 5, 6"), .http),
        Row("a negative length", length("Content-Length: -5"), .http),
        Row("a length beyond 64 bits", length("Content-Length: \(beyond)"), .http),
        Row("a length with a unit", length("Content-Length: 5k"), .http),
    ]

    private static let beyond = "99999999999999999999999"
    private static let longName = String(repeating: "n", count: 4_000)

    @Test(arguments: rows) func `a hostile head fails its file and no other`(row: Row) async throws {
        let site = try SyncFixture()
        site.origin.serve("/bad") { _ in
            var answer = Answer(status: 200, content: Content(Self.body))
            answer.rawHead = row.head
            answer.closes = true
            return answer
        }
        site.origin.serve("/good", .plain(Self.body))
        let report = try await site.sync(paths: "/bad", "/good")
        #expect(report.files[1].status == .done && site.holds("good", Self.body))
        let failure = report.files[0].failure
        #expect(failure?.code == row.code, "\(report.files[0].line): \(failure?.message ?? "")")
        #expect(site.exists("bad") == (row.code == nil))
        #expect(report.run.exitCode == (row.code == nil ? .inLine : .someFailed))
        #expect(failure?.message.utf8.count ?? 0 < 300)
        #expect(failure?.message != "Out of memory")
        // None of this gets better by trying again.
        if row.code == .http, row.head.count > 100_000 { #expect(site.origin.requests(for: "/bad").count <= 2) }
        #expect(site.partials.isEmpty)
    }

    @Test("what a server says of a file goes back to it without line ends of its own")
    func smuggling() async throws {
        let site = try SyncFixture()
        site.origin.serve("/a") { request in
            // Only a plain GET is answered, which then has a condition.
            if request.method == "HEAD" || request.range != nil { return .status(405) }
            var answer = Answer(status: 200, content: Content(Self.body))
            answer.rawHead = Array("HTTP/1.1 200 OK\r\nConnection: close\r\nLast-Modified: x\rEvil: 1\r\n\r\n".utf8)
            answer.closes = true
            return answer
        }
        try await site.sync(paths: "/a")
        try await site.sync(paths: "/a")
        #expect(site.origin.log.allSatisfy { $0.headers["Evil"] == nil })
        #expect(site.origin.log.allSatisfy { !($0.headers["If-Modified-Since"] ?? "").contains("Evil") })
    }

    @Test("a head that comes in pieces says the same", arguments: [0, 1, 9, 17, 40, 65, 66, 67])
    func pieces(place: Int) async throws {
        let site = try SyncFixture()
        let gate = Gate()
        site.origin.serve("/a") { request in
            var answer = Resource.plain(.sized(3_000)).answer(to: request)
            answer.delivery.hold = .init(at: .head(place), gate: gate)
            return answer
        }
        let sync = Task { try await site.sync(paths: "/a") }
        #expect(await site.origin.waitUntil(requests: 1))
        gate.open()
        let report = try await sync.value
        #expect(report.lines == ["fetch done 200 0-2999"] && report.files[0].etag == "\"v1\"")
        #expect(site.holds("a", .sized(3_000)))
    }
}
