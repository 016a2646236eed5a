// Sums over a plan, and the facts that decisions are made of.

import MirrorCore
import Testing

@Suite struct PlanTests {
    private func planned(_ ranges: [ByteRange]?, failure: Failure? = nil) -> PlannedFile {
        PlannedFile(
            entry: Entry(address: address("http://example.org/a")), path: nil,
            decision: Decision(.fetch, "missing", ranges: ranges, failure: failure))
    }

    @Test func knownBytesToFetch() {
        #expect(Plan(files: []).knownBytesToFetch == 0)
        #expect(
            Plan(files: [planned([range(0, 9), range(20, 29)]), planned(nil), planned([])]).knownBytesToFetch == 20)
        #expect(
            Plan(files: [planned([range(0, 9)]), planned([range(0, 9)], failure: .isFolder)]).knownBytesToFetch == 10)
    }

    @Test func sumsThatDoNotFitStayAtTheLargestValue() {
        let huge = planned([range(0, Int64.max - 1)])
        #expect(Plan(files: [huge]).knownBytesToFetch == Int64.max)
        #expect(Plan(files: [huge, huge, huge]).knownBytesToFetch == Int64.max)
    }

    @Test(
        arguments: [
            (0, 0), (999_999_999, 0), (1_000_000_000, 1), (-1, -1), (-1_000_000_000, -1), (-1_000_000_001, -2),
            (Int64.max, 9_223_372_036), (Int64.min, -9_223_372_037),
        ] as [(Int64, Int64)])
    func modifiedSeconds(_ row: (nanoseconds: Int64, seconds: Int64)) {
        #expect(LocalFile(size: 0, modified: row.nanoseconds).modifiedSeconds == row.seconds)
    }

    @Test func aRecordSpeaksOfOneFileOnly() {
        let record = FileRecord(url: "u", size: 5, modified: 7, validators: Validators())
        #expect(LocalFacts(file: LocalFile(size: 5, modified: 7), record: record).validRecord == record)
        #expect(LocalFacts(file: LocalFile(size: 6, modified: 7), record: record).validRecord == nil)
        #expect(LocalFacts(file: LocalFile(size: 5, modified: 8), record: record).validRecord == nil)
        #expect(LocalFacts(record: record).validRecord == nil)
    }

    @Test func theContractsErrorCodes() {
        #expect(
            FailureCode.allCases.map(\.rawValue) == [
                "not-found", "forbidden", "unauthorized", "http", "resolve", "connect", "tls", "timeout", "truncated",
                "changed", "range", "size-mismatch", "checksum", "unsafe-path", "conflict", "name-too-long",
                "disk-full",
                "permission", "io", "too-many-redirects", "unexpected-type", "unsupported", "invalid-source",
            ])
    }

    @Test(
        arguments: [
            (.truncated(received: 5, expected: 9), .truncated, true),
            (.truncated(received: 5, expected: nil), .truncated, true),
            (.range("x"), .range, true), (.changed, .changed, true), (.promisedStateGone("x"), .changed, false),
            (.size(declared: 1, actual: 2), .sizeMismatch, false), (.unexpectedType("x"), .unexpectedType, false),
            (.redirects(20), .tooManyRedirects, false), (.diskFull(needed: 1, available: -1), .diskFull, false),
        ] as [(Failure, FailureCode, Bool)])
    func failures(_ row: (failure: Failure, code: FailureCode, isTransient: Bool)) {
        #expect(row.failure.code == row.code)
        #expect(row.failure.isTransient == row.isTransient)
        #expect(row.failure.endsRun == (row.code == .diskFull))
        #expect(!row.failure.message.hasSuffix("."))
        #expect(row.failure.description.hasPrefix(row.code.rawValue + ": "))
    }
}
