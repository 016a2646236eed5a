// Asking before fetching: HEAD that cannot be used or believed (class D), and the GET of one byte behind it.

import MirrorCore
import Testing

private enum Kind: Equatable {
    /// Facts with this size.
    case facts(Int64?)
    /// Another way may work; the failure is that of this one.
    case useless(FailureCode?)
    case retry

    init(_ verdict: ProbeVerdict) {
        switch verdict {
        case .facts(let facts): self = .facts(facts.size)
        case .useless(let facts): self = .useless((facts.failure ?? facts.refusal)?.code)
        case .retry: self = .retry
        }
    }
}

private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let head: ResponseHead, method: ProbeMethod, refusesHTML: Bool, expected: Kind

    init(
        _ name: String, _ method: ProbeMethod, _ status: Int, length: Int64? = nil, range: String? = nil,
        type: String? = nil, coding: String? = nil, refusesHTML: Bool = false, _ expected: Kind
    ) {
        testDescription = "\(method): \(name)"
        head = ResponseHead(
            status: status, contentLength: length, contentRange: range, contentType: type, contentEncoding: coding)
        self.method = method
        self.refusesHTML = refusesHTML
        self.expected = expected
    }
}

@Suite struct ProbeVerdictTests {
    @Test(arguments: [
        Row("a size", .head, 200, length: 1000, .facts(1000)),
        Row("no size", .head, 200, .useless(nil)),
        Row("size 0 is no size (C047)", .head, 200, length: 0, .useless(nil)),
        Row("a negative size", .head, 200, length: -1, .useless(nil)),
        Row("the size of a coded form (C048)", .head, 200, length: 66, coding: "gzip", .useless(nil)),
        Row("coded as identity", .head, 200, length: 66, coding: "identity", .facts(66)),
        Row(
            "a page for an archive (C070)", .head, 200, length: 9, type: "text/html", refusesHTML: true,
            .useless(.unexpectedType)),
        Row("a page", .head, 200, length: 9, type: "text/html", .facts(9)),
        Row("refused, signed for GET only (C044)", .head, 403, .useless(.forbidden)),
        Row("not found (C045)", .head, 404, .useless(.notFound)),
        Row("a bad request (C045)", .head, 400, .useless(.http)),
        Row("unauthorized", .head, 401, .useless(.unauthorized)),
        Row("method not allowed", .head, 405, .useless(.http)),
        Row("time out (C044)", .head, 408, .useless(.http)),
        Row("a server that fails on HEAD (C044)", .head, 500, .useless(.http)),
        Row("not implemented", .head, 501, .useless(.http)),
        Row("a gateway that fails on HEAD (C044)", .head, 502, .useless(.http)),
        Row("a gateway that waits for HEAD (C044)", .head, 504, .useless(.http)),
        Row("too many requests", .head, 429, length: 9, .retry),
        Row("unavailable", .head, 503, length: 9, .retry),
        Row("no content", .head, 204, .useless(nil)),
        Row("a redirect that leads nowhere", .head, 302, .useless(nil)),
        Row("nonsense", .head, 0, .useless(nil)),

        Row("as asked", .firstByte, 206, length: 1, range: "bytes 0-0/1000", .facts(1000)),
        Row("more than asked", .firstByte, 206, length: 9, range: "bytes 0-8/1000", .facts(1000)),
        Row("no total", .firstByte, 206, length: 1, range: "bytes 0-0/*", .facts(nil)),
        Row("another byte", .firstByte, 206, length: 1, range: "bytes 1-1/1000", .facts(nil)),
        Row("no Content-Range (C030)", .firstByte, 206, length: 1, .facts(nil)),
        Row("hostile (C065)", .firstByte, 206, range: "bytes -5-3/10", .facts(nil)),
        Row("a coded byte", .firstByte, 206, range: "bytes 0-0/1000", coding: "gzip", .facts(nil)),
        Row("the whole file", .firstByte, 200, length: 1000, .facts(1000)),
        Row("an empty file (C040)", .firstByte, 200, length: 0, .facts(0)),
        Row("the whole file, no length", .firstByte, 200, .facts(nil)),
        Row("the whole file, coded (C048)", .firstByte, 200, length: 66, coding: "gzip", .facts(nil)),
        Row("a slice as 200 (C023)", .firstByte, 200, length: 1, range: "bytes 0-0/1000", .facts(nil)),
        Row("no first byte: empty (C040)", .firstByte, 416, range: "bytes */0", .facts(0)),
        Row("416 of a file with bytes", .firstByte, 416, range: "bytes */1000", .facts(nil)),
        Row("416 without a total", .firstByte, 416, .facts(nil)),
        Row(
            "a page for an archive", .firstByte, 206, range: "bytes 0-0/9", type: "text/html", refusesHTML: true,
            .useless(.unexpectedType)),
        Row("refused", .firstByte, 403, .useless(.forbidden)),
        Row("not found", .firstByte, 404, .useless(.notFound)),
        Row("a time out", .firstByte, 408, .retry),
        Row("too many requests", .firstByte, 429, .retry),
        Row("a server error", .firstByte, 500, .retry),
        Row("unavailable", .firstByte, 503, .retry),
        Row("416 to HEAD", .head, 416, range: "bytes */0", .useless(.http)),
    ])
    fileprivate func verdict(_ row: Row) {
        let verdict = ProbeVerdict.on(row.head, method: row.method, refusesHTML: row.refusesHTML)
        #expect(Kind(verdict) == row.expected, "\(verdict)")
    }

    private struct Known: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What was recorded.
        var size: Int64 = 1000
        var isEncoded = false
        /// What HEAD says.
        var etag: String? = "\"a\""
        var length: Int64?
        var coding: String?
        let expected: Kind
    }

    @Test(arguments: [
        Known(testDescription: "empty, as it was", size: 0, length: 0, expected: .facts(0)),
        Known(testDescription: "empty, another state", size: 0, etag: "\"b\"", length: 0, expected: .useless(nil)),
        Known(testDescription: "empty, no validators", size: 0, etag: nil, length: 0, expected: .useless(nil)),
        Known(testDescription: "was empty, now a length", size: 0, etag: "\"b\"", length: 9, expected: .facts(9)),
        Known(testDescription: "was empty, no length", size: 0, expected: .useless(nil)),
        Known(testDescription: "as it was", length: 1000, expected: .facts(1000)),
        Known(testDescription: "changed", etag: "\"b\"", length: 9, expected: .facts(9)),
        Known(testDescription: "unchanged, and larger than GET sent (C050)", length: 1200, expected: .useless(nil)),
        Known(testDescription: "unchanged, and smaller than GET sent (C050)", length: 900, expected: .useless(nil)),
        Known(testDescription: "no validators, another size", etag: nil, length: 1200, expected: .useless(nil)),
        Known(testDescription: "no validators, the size", etag: nil, length: 1000, expected: .facts(1000)),
        Known(
            testDescription: "came coded, is coded (C049)", isEncoded: true, length: 9, coding: "gzip",
            expected: .facts(nil)),
        Known(testDescription: "came coded, has a length", isEncoded: true, length: 9, expected: .facts(9)),
        Known(testDescription: "came plain, is coded (C048)", length: 9, coding: "gzip", expected: .useless(nil)),
    ])
    private func headOfAKnownFile(_ row: Known) {
        let head = ResponseHead(
            status: 200, contentLength: row.length, validators: row.etag.map { validators($0) } ?? Validators(),
            contentEncoding: row.coding)
        let record = FileRecord(
            url: "", size: row.size, modified: 0, validators: validators("\"a\""), isEncoded: row.isEncoded)
        let verdict = ProbeVerdict.on(head, method: .head, refusesHTML: false, record: record)
        #expect(Kind(verdict) == row.expected, "\(verdict)")
    }

    /// A refusal is the answer to a question; only a plain GET can say that the file cannot be had.
    @Test(arguments: [ProbeMethod.head, .firstByte], [400, 401, 403, 404, 405, 410, 501])
    func aRefusalIsNoFailure(method: ProbeMethod, status: Int) {
        let verdict = ProbeVerdict.on(ResponseHead(status: status), method: method, refusesHTML: true)
        #expect(verdict == .useless(RemoteFacts(status: status, refusal: .status(status))))
    }

    @Test func waysToAsk() {
        #expect(ProbeMethod.head.next == .firstByte)
        #expect(ProbeMethod.firstByte.next == nil)
    }

    @Test func factsOfAGoodAnswer() throws {
        let head = ResponseHead(
            status: 200, contentLength: 9, validators: validators("\"a\"", modified: Time.ten),
            contentType: "Text/Plain; charset=x", contentDisposition: "attachment; filename=\"../n.iso\"")
        let expected = RemoteFacts(
            size: 9, validators: head.validators, mediaType: "text/plain", status: 200, suggestedName: "n.iso")
        #expect(ProbeVerdict.on(head, method: .head, refusesHTML: true) == .facts(expected))
    }

    /// An error page has a type, a date and a tag of its own; they say nothing of the file.
    @Test(arguments: [(ProbeMethod.head, 403), (.head, 404), (.firstByte, 404), (.firstByte, 416), (.head, 302)])
    func factsOfAnErrorPageAreNotTheFiles(_ row: (method: ProbeMethod, status: Int)) {
        let head = ResponseHead(
            status: row.status, contentLength: 222, contentRange: "bytes */0", validators: validators("\"error\""),
            contentType: "text/html")
        switch ProbeVerdict.on(head, method: row.method, refusesHTML: true) {
        case .facts(let facts), .useless(let facts):
            #expect(facts.validators.isEmpty)
            #expect(facts.mediaType == nil)
            #expect(facts.status == row.status)
        case .retry: Issue.record("\(row.status) is not retried")
        }
    }

    @Test func retriesCarryWhatTheServerAskedFor() {
        let head = ResponseHead(status: 503, retryAfter: "7")
        guard case .retry(let failure) = ProbeVerdict.on(head, method: .head, refusesHTML: false) else {
            Issue.record("503 is not retried")
            return
        }
        #expect(failure.retryAfter == "7")
        #expect(failure.status == 503)
    }
}
