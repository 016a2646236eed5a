// Judgement of answers: every misbehaviour of the public reports (classes B, C and others, by their numbers), and the
// answers that are right.

import MirrorCore
import Testing

import struct MirrorTestSupport.SeededNumbers

/// The state that bytes on disk belong to, in most rows.
private let known = Generation(total: 1000, validators: validators("\"a\"", modified: Time.ten))

private func whole(declared: Int64? = nil, html: Bool = false, promised: Validators = Validators()) -> Demand {
    Demand(part: .whole, refusesHTML: html, declaredSize: declared, promised: promised)
}

private func open(
    _ first: Int64, _ generation: Generation? = known, declared: Int64? = nil, html: Bool = false,
    promised: Validators = Validators()
) -> Demand {
    Demand(
        part: .range(first: first, last: nil), generation: generation, refusesHTML: html, declaredSize: declared,
        promised: promised)
}

private func closed(_ first: Int64, _ last: Int64, _ generation: Generation? = known) -> Demand {
    Demand(part: .range(first: first, last: last), generation: generation)
}

private func ok(
    _ length: Int64?, range: String? = nil, _ validators: Validators = Validators(), type: String? = nil,
    coding: String? = nil
) -> ResponseHead {
    ResponseHead(
        status: 200, contentLength: length, contentRange: range, validators: validators, contentType: type,
        contentEncoding: coding)
}

private let ambiguous = {
    var head = ok(nil)
    head.hasInvalidLength = true
    return head
}()

private func partial(
    _ range: String?, length: Int64? = nil, _ validators: Validators = known.validators, type: String? = nil,
    coding: String? = nil
) -> ResponseHead {
    ResponseHead(
        status: 206, contentLength: length, contentRange: range, validators: validators, contentType: type,
        contentEncoding: coding)
}

private func unsatisfiable(_ range: String?) -> ResponseHead { ResponseHead(status: 416, contentRange: range) }

/// What kind of verdict it is; the sentences of failures are not compared.
private enum Kind: Equatable {
    case whole(Int64?), part(ByteRange), unchanged, otherGeneration, rangeUnusable, failure(FailureCode)

    init(_ verdict: ResponseVerdict) {
        switch verdict {
        case .whole(let total): self = .whole(total)
        case .part(let range): self = .part(range)
        case .unchanged: self = .unchanged
        case .otherGeneration: self = .otherGeneration
        case .rangeUnusable: self = .rangeUnusable
        case .failure(let failure): self = .failure(failure.code)
        }
    }
}

private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let head: ResponseHead, demand: Demand, expected: Kind

    init(_ name: String, _ head: ResponseHead, _ demand: Demand, _ expected: Kind) {
        testDescription = name
        self.head = head
        self.demand = demand
        self.expected = expected
    }
}

/// What the server said before of a file of 1000 bytes.
private func claimed(_ etag: String? = "\"a\"", isSecondLook: Bool = false) -> Demand {
    Demand(
        part: .whole, claim: Generation(total: 1000, validators: validators(etag)), isSecondLook: isSecondLook)
}

private let wholes = [
    Row("a length that cannot be read (C065)", ambiguous, whole(), .failure(.http)),
    Row("more than any file has (C065)", ok(.max), whole(), .failure(.http)),
    Row("the largest file that can be", ok(1 << 60), whole(), .whole(1 << 60)),
    Row("as claimed", ok(1000, validators("\"a\"")), claimed(), .whole(1000)),
    Row("more than claimed (C050)", ok(1200, validators("\"a\"")), claimed(), .whole(1200)),
    Row("less than claimed (C050, C170)", ok(900, validators("\"a\"")), claimed(), .failure(.sizeMismatch)),
    Row("less than claimed, no validators", ok(900), claimed(nil), .failure(.sizeMismatch)),
    Row("less than claimed, of another state", ok(900, validators("\"b\"")), claimed(), .whole(900)),
    Row("less than claimed, coded", ok(900, validators("\"a\""), coding: "gzip"), claimed(), .whole(900)),
    Row("less than claimed, at the second look", ok(900), claimed(isSecondLook: true), .whole(900)),
    Row("nothing of what was claimed (C047)", ok(0), claimed(isSecondLook: true), .failure(.sizeMismatch)),
    Row("nothing, of another state", ok(0, validators("\"b\"")), claimed(isSecondLook: true), .whole(0)),
    Row("the file", ok(1000), whole(), .whole(1000)),
    Row("an empty file (C040)", ok(0), whole(), .whole(0)),
    Row("no length (C041, C058)", ok(nil), whole(), .whole(nil)),
    Row("of the declared size", ok(1000), whole(declared: 1000), .whole(1000)),
    Row("not of the declared size (C051, C064)", ok(999), whole(declared: 1000), .failure(.sizeMismatch)),
    Row("empty where the source says otherwise", ok(0), whole(declared: 1000), .failure(.sizeMismatch)),
    Row("no length, a size declared", ok(nil), whole(declared: 1000), .whole(nil)),
    Row("coded: its length says nothing of the size", ok(66, coding: "gzip"), whole(declared: 1000), .whole(66)),
    Row("coded as identity", ok(999, coding: "Identity"), whole(declared: 1000), .failure(.sizeMismatch)),
    Row("the whole for a range (C018, C019)", ok(1000, known.validators), open(500), .whole(1000)),
    Row("the whole of another state for a range", ok(2000, validators("\"b\"")), open(500), .whole(2000)),
    Row("the whole for a closed range (C019)", ok(1000), closed(500, 599), .whole(1000)),
    Row(
        "a slice as 200, as it was asked for (C023)",
        ok(500, range: "bytes 500-999/1000", known.validators), open(500), .part(range(500, 999))),
    Row("a slice as 200 for the whole (C023)", ok(100, range: "bytes 500-599/1000"), whole(), .rangeUnusable),
    Row(
        "a slice as 200 of another state",
        ok(500, range: "bytes 500-999/1000", validators("\"b\"")), open(500), .otherGeneration),
    Row("all of it as a slice as 200", ok(1000, range: "bytes 0-999/1000"), whole(), .whole(1000)),
    Row("lengths that contradict each other", ambiguous, whole(), .failure(.http)),
    Row("lengths that contradict each other, for a range", ambiguous, open(500), .failure(.http)),
    Row("200 with a broken Content-Range", ok(1000, range: "bytes junk"), whole(), .rangeUnusable),
]

private let parts = [
    Row("a total that no file has (C065)", partial("bytes 500-999/9223372036854775807"), open(500), .rangeUnusable),
    Row(
        "a part with a length that cannot be read",
        {
            var head = partial("bytes 500-999/1000")
            head.hasInvalidLength = true
            return head
        }(), open(500), .failure(.http)),
    Row("the rest", partial("bytes 500-999/1000", length: 500), open(500), .part(range(500, 999))),
    Row("the rest, no length", partial("bytes 500-999/1000"), open(500), .part(range(500, 999))),
    Row("a closed range", partial("bytes 500-599/1000", length: 100), closed(500, 599), .part(range(500, 599))),
    Row("the last byte", partial("bytes 999-999/1000", length: 1), open(999), .part(range(999, 999))),
    Row("from the start", partial("bytes 0-999/1000"), open(0), .part(range(0, 999))),
    Row("nothing on disk yet", partial("bytes 0-99/2000"), closed(0, 99, nil), .part(range(0, 99))),
    Row("starts early (C021)", partial("bytes 256-999/1000"), open(500), .part(range(256, 999))),
    Row("starts late", partial("bytes 501-999/1000"), open(500), .rangeUnusable),
    Row("ends before the first byte asked for", partial("bytes 0-499/1000"), open(500), .rangeUnusable),
    Row("ends early (C026)", partial("bytes 500-599/1000", length: 100), open(500), .part(range(500, 599))),
    Row("a closed one ends early (C026)", partial("bytes 500-549/1000"), closed(500, 599), .part(range(500, 549))),
    Row("ends late", partial("bytes 500-600/1000"), closed(500, 599), .rangeUnusable),
    Row("everything for a range in the middle (C025)", partial("bytes 0-999/1000"), closed(500, 599), .rangeUnusable),
    Row("no Content-Range (C022)", partial(nil, length: 500), open(500), .rangeUnusable),
    Row("no Content-Range, the length of all (C022)", partial(nil, length: 1000), open(500), .rangeUnusable),
    Row("no size in it", partial("bytes 500-999/*"), open(500), .rangeUnusable),
    Row("no range in it", partial("bytes */1000"), open(500), .rangeUnusable),
    Row(
        "the longest numbers (C065)",
        partial("bytes 9223372036854775807-9223372036854775807/9223372036854775807"), open(500), .rangeUnusable),
    Row("negative (C065)", partial("bytes -5-3/10"), open(500), .rangeUnusable),
    Row("no unit (C065)", partial("-0.99"), open(500), .rangeUnusable),
    Row("another total (C024)", partial("bytes 500-1048/1049"), open(500), .otherGeneration),
    Row("another ETag (C003, C004)", partial("bytes 500-999/1000", validators("\"b\"")), open(500), .otherGeneration),
    Row(
        "another date (C003)",
        partial("bytes 500-999/1000", validators(modified: Time.eleven)), open(500), .otherGeneration),
    Row(
        "no validators where there were some (C004)", partial("bytes 500-999/1000", Validators()), open(500),
        .rangeUnusable),
    Row("another state comes before a wrong start", partial("bytes 0-99/2000"), closed(500, 599), .otherGeneration),
    Row(
        "several ranges (C032)",
        partial(nil, type: "multipart/byteranges; boundary=x"), open(500), .rangeUnusable),
    Row(
        "several ranges and a Content-Range (C032)",
        partial("bytes 500-999/1000", type: "Multipart/ByteRanges"), open(500), .rangeUnusable),
    Row("more bytes than it says (C033)", partial("bytes 500-999/1000", length: 4583), open(500), .rangeUnusable),
    Row("fewer bytes than it says", partial("bytes 500-999/1000", length: 499), open(500), .rangeUnusable),
    Row("coded (C054)", partial("bytes 500-999/1000", coding: "gzip"), open(500), .rangeUnusable),
    Row("206 for the whole", partial("bytes 0-999/1000", length: 1000), whole(), .whole(1000)),
    Row(
        "206 for the whole, not of the declared size", partial("bytes 0-999/1000"), whole(declared: 5),
        .failure(.sizeMismatch)),
    Row("206 for the whole, but a slice", partial("bytes 0-499/1000"), whole(), .rangeUnusable),
    Row("of the declared size", partial("bytes 500-999/1000"), open(500, declared: 1000), .part(range(500, 999))),
    Row(
        "the first range, not of the declared size (C024)",
        partial("bytes 0-499/1000"), open(0, nil, declared: 500), .failure(.sizeMismatch)),
    Row(
        "a known total, not the declared size",
        partial("bytes 500-999/1000"), open(500, declared: 999), .failure(.sizeMismatch)),
    Row(
        "another total and not the declared size either",
        partial("bytes 500-1999/2000"), open(500, declared: 1000), .otherGeneration),
]

private let refusals = [
    Row(
        "416, complete after all: the whole is asked for (C036)", unsatisfiable("bytes */1000"), open(1000),
        .rangeUnusable),
    Row("416 for bytes that the file has", unsatisfiable("bytes */1000"), open(500), .rangeUnusable),
    Row("416, now shorter (C038)", unsatisfiable("bytes */800"), open(900), .otherGeneration),
    Row("416, now empty (C040)", unsatisfiable("bytes */0"), open(500), .otherGeneration),
    Row("416 without a total (C038)", unsatisfiable(nil), open(900), .otherGeneration),
    Row("416 with a broken total", unsatisfiable("bytes */-1"), open(900), .otherGeneration),
    Row("416 with nothing on disk", unsatisfiable("bytes */0"), open(0, nil), .otherGeneration),
    Row("416 for the whole", unsatisfiable("bytes */1000"), whole(), .failure(.http)),
    Row("412 (C039)", ResponseHead(status: 412), open(500), .otherGeneration),
    Row("412 for the whole", ResponseHead(status: 412), whole(), .otherGeneration),
    Row("304 to a condition", ResponseHead(status: 304), Demand(part: .whole, isConditional: true), .unchanged),
    Row("304 to no condition", ResponseHead(status: 304), whole(), .failure(.http)),
    Row("200 to a condition", ok(1000), Demand(part: .whole, isConditional: true), .whole(1000)),
]

private let pages = [
    Row("a login page (C070)", ok(2000, type: "text/html"), whole(html: true), .failure(.unexpectedType)),
    Row("with a charset", ok(2000, type: "Text/HTML; charset=utf-8"), whole(html: true), .failure(.unexpectedType)),
    Row("XHTML", ok(2000, type: "application/xhtml+xml"), whole(html: true), .failure(.unexpectedType)),
    Row("where a page may be the file", ok(2000, type: "text/html"), whole(), .whole(2000)),
    Row("data", ok(2000, type: "application/zip"), whole(html: true), .whole(2000)),
    Row("no type", ok(2000), whole(html: true), .whole(2000)),
    Row(
        "in the middle of a file (C034)", ok(222, type: "text/html"), open(500, html: true),
        .failure(.unexpectedType)),
    Row(
        "as 206", partial("bytes 500-999/1000", type: "text/html"), open(500, html: true),
        .failure(.unexpectedType)),
    Row(
        "as 404: the status says it", ResponseHead(status: 404, contentType: "text/html"), whole(html: true),
        .failure(.notFound)),
]

private let promises = [
    Row("the promised ETag", ok(9, validators("\"p\"")), whole(promised: validators("\"p\"")), .whole(9)),
    Row("it became weak", ok(9, validators("W/\"p\"")), whole(promised: validators("\"p\"")), .whole(9)),
    Row("another ETag", ok(9, validators("\"q\"")), whole(promised: validators("\"p\"")), .failure(.changed)),
    Row("no ETag", ok(9), whole(promised: validators("\"p\"")), .whole(9)),
    Row(
        "the promised date", ok(9, validators(modified: Time.ten850)), whole(promised: validators(modified: Time.ten)),
        .whole(9)),
    Row(
        "another date", ok(9, validators(modified: Time.nine)), whole(promised: validators(modified: Time.ten)),
        .failure(.changed)),
    Row("no date", ok(9), whole(promised: validators(modified: Time.ten)), .whole(9)),
    Row(
        "another ETag on a range", partial("bytes 500-999/1000"), open(500, promised: validators("\"p\"")),
        .failure(.changed)),
]

@Suite struct ResponseVerdictTests {
    @Test(arguments: wholes)
    fileprivate func whole(_ row: Row) { check(row) }

    @Test(arguments: parts)
    fileprivate func part(_ row: Row) { check(row) }

    @Test(arguments: refusals)
    fileprivate func refusal(_ row: Row) { check(row) }

    @Test(arguments: pages)
    fileprivate func page(_ row: Row) { check(row) }

    @Test(arguments: promises)
    fileprivate func promise(_ row: Row) { check(row) }

    @Test(
        "C003 C004 what says nothing of its state is only good where its bytes are compared", arguments: [true, false])
    func silence(isProved: Bool) {
        let demand = Demand(part: .range(first: 500, last: nil), generation: known, isProved: isProved)
        let verdict = ResponseVerdict.on(partial("bytes 500-999/1000", Validators()), for: demand)
        #expect(Kind(verdict) == (isProved ? .part(range(500, 999)) : .rangeUnusable))
        let stateless = Demand(
            part: .range(first: 500, last: nil), generation: Generation(total: 1000, validators: Validators()),
            isProved: isProved)
        #expect(
            Kind(ResponseVerdict.on(partial("bytes 500-999/1000", Validators()), for: stateless))
                == .part(range(500, 999)))
    }

    private func check(_ row: Row) {
        let verdict = ResponseVerdict.on(row.head, for: row.demand)
        #expect(Kind(verdict) == row.expected, "\(verdict)")
    }

    /// What is retried is the contract's list; nothing at or above 400 ever has a body of use (C035, C071).
    @Test(
        arguments: [
            (400, .http, false), (401, .unauthorized, false), (402, .http, false), (403, .forbidden, false),
            (404, .notFound, false), (405, .http, false), (407, .unauthorized, false), (408, .http, true),
            (409, .http, false),
            (410, .notFound, false), (418, .http, false), (421, .http, false), (425, .http, false), (429, .http, true),
            (451, .http, false), (500, .http, true), (501, .http, false), (502, .http, true), (503, .http, true),
            (504, .http, true), (505, .http, false), (507, .http, false), (599, .http, false),
            (0, .http, false), (100, .http, false), (201, .http, false), (204, .http, false), (205, .http, false),
            (300, .http, false), (302, .http, false), (600, .http, false), (-1, .http, false), (Int.max, .http, false),
        ] as [(Int, FailureCode, Bool)])
    func statuses(_ row: (status: Int, code: FailureCode, isTransient: Bool)) throws {
        let head = ResponseHead(
            status: row.status, contentLength: 222, contentRange: "bytes 500-999/1000", retryAfter: "7")
        for demand in [MirrorCoreTests.whole(), open(500), closed(500, 599)] {
            guard case .failure(let failure) = ResponseVerdict.on(head, for: demand) else {
                Issue.record("a body of use with \(row.status)")
                continue
            }
            #expect(failure.code == row.code)
            #expect(failure.isTransient == row.isTransient)
            #expect(failure.status == row.status)
            #expect(failure.retryAfter == (row.status >= 400 && row.status < 600 ? "7" : nil))
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func noAnswerTrapsAndNoPartLeavesWhatWasAskedFor(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let numbers: [Int64] = [0, 1, 499, 500, 501, 999, 1000, Int64.max - 1, Int64.max]
        func number() -> Int64 { numbers.randomElement(using: &random) ?? 0 }
        for _ in 0..<300 {
            let range = "bytes \(number())-\(number())/\(number())"
            let head = ResponseHead(
                status: [200, 206, 416].randomElement(using: &random) ?? 200,
                contentLength: Bool.random(using: &random) ? number() : nil,
                contentRange: Bool.random(using: &random) ? range : nil)
            let first = number()
            let last = Bool.random(using: &random) ? number() : nil
            let generation = Bool.random(using: &random) ? Generation(total: number(), validators: Validators()) : nil
            let demand = Demand(part: .range(first: first, last: last), generation: generation, declaredSize: nil)
            guard case .part(let part) = ResponseVerdict.on(head, for: demand) else { continue }
            #expect(part.first <= first && part.last >= first && part.last <= last ?? Int64.max)
            #expect(part.end <= generation?.total ?? Int64.max)
        }
    }
}
