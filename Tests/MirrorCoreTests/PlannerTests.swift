// Decisions that the table of rules leaves to the text of the contract: missing files, sizes that are not known,
// checksums, declared sizes, failures.

import MirrorCore
import Testing

private let mtime = Time.tenSeconds * 1_000_000_000
private let file = LocalFile(size: 500, modified: mtime)
private let complete = PartialRecord(
    url: "u", generation: Generation(total: 1000, validators: validators("\"a\"")), ranges: RangeSet([range(0, 999)]))
private let nineTenths = PartialRecord(
    url: "u", generation: Generation(total: 1000, validators: validators("\"a\"")), ranges: set(range(0, 899)))
private let gone = Failure.status(404)
private let red = Checksum(algorithm: .adler32, value: [1, 2, 3, 4])
private let blue = Checksum(algorithm: .adler32, value: [5, 6, 7, 8])
private let otherType = Checksum(algorithm: .md5, value: Array(repeating: 0, count: 16))

private func record(
    _ validators: Validators = Validators(), encoded: Bool = false, checksum: Checksum? = nil, modified: Int64 = mtime
) -> FileRecord {
    FileRecord(
        url: "u", size: 500, modified: modified, validators: validators, isEncoded: encoded, checksum: checksum)
}

private func remote(_ size: Int64?, _ validators: Validators = Validators()) -> RemoteFacts {
    RemoteFacts(size: size, validators: validators)
}

private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let policy: Policy, local: LocalFacts, remote: RemoteFacts?, options: EntryOptions?
    let action: Action, ranges: [ByteRange]?, kept: Kept, condition: Validators?, failure: Failure?

    init(
        _ name: String, _ local: LocalFacts, _ remote: RemoteFacts?, policy: Policy = Policy(),
        options: EntryOptions? = nil, _ action: Action, _ ranges: [ByteRange]?, kept: Kept = .nothing,
        condition: Validators? = nil, failure: Failure? = nil
    ) {
        testDescription = name
        self.local = local
        self.remote = remote
        self.policy = policy
        self.options = options
        self.action = action
        self.ranges = ranges
        self.kept = kept
        self.condition = condition
        self.failure = failure
    }
}

private let missing = [
    Row("not asked", LocalFacts(), nil, .fetch, nil),
    Row("a size", LocalFacts(), remote(1000), .fetch, [range(0, 999)]),
    Row("an empty file is fetched like any other (C040, C047)", LocalFacts(), remote(0), .fetch, []),
    Row("no size", LocalFacts(), remote(nil), .fetch, nil),
    Row("refused", LocalFacts(), RemoteFacts(failure: gone), .fetch, nil, failure: gone),
    Row(
        "a partial file of this state", LocalFacts(partial: nineTenths), remote(1000, validators("\"a\"")),
        .resume, [range(900, 999)], kept: .partial(nineTenths)),
    Row(
        "a partial file, nothing but the size to compare", LocalFacts(partial: nineTenths), remote(1000),
        .resume, [range(900, 999)], kept: .partial(nineTenths)),
    Row(
        "a partial file of another ETag", LocalFacts(partial: nineTenths), remote(1000, validators("\"b\"")),
        .fetch, [range(0, 999)]),
    Row(
        "a partial file of another size (C008, C038)", LocalFacts(partial: nineTenths),
        remote(800, validators("\"a\"")), .fetch, [range(0, 799)]),
    Row("a partial file, no size", LocalFacts(partial: nineTenths), remote(nil, validators("\"a\"")), .fetch, nil),
    Row("questions refused: a GET decides", LocalFacts(), RemoteFacts(refusal: gone), .fetch, nil),
    Row(
        "a partial file, questions refused", LocalFacts(partial: nineTenths), RemoteFacts(refusal: gone), .resume,
        [range(900, 999)], kept: .partial(nineTenths)),
    Row(
        "a complete partial file, questions refused: an answer is needed", LocalFacts(partial: complete),
        RemoteFacts(refusal: gone), .fetch, nil),
    Row(
        "a partial file, refused", LocalFacts(partial: nineTenths), RemoteFacts(failure: gone), .fetch, nil,
        failure: gone),
    Row("a partial file, not asked", LocalFacts(partial: nineTenths), nil, .fetch, nil),
    Row(
        "a record of a file that is gone", LocalFacts(record: record(validators("\"a\""))),
        remote(500, validators("\"a\"")), .fetch, [range(0, 499)]),
    Row(
        "--ignore-existing does not touch it", LocalFacts(), remote(9), policy: Policy(ignoreExisting: true),
        .fetch, [range(0, 8)]),
    Row("--size-only neither", LocalFacts(), remote(9), policy: Policy(sizeOnly: true), .fetch, [range(0, 8)]),
    Row("an unusable path", LocalFacts(failure: .leadsOutside), remote(9), .fetch, nil, failure: .leadsOutside),
]

private let unknownSizes = [
    Row(
        "no record: the mtime is the condition", LocalFacts(file: file), remote(nil), .replace, nil,
        condition: validators(modified: Time.ten)),
    Row(
        "no record, date not later", LocalFacts(file: file), remote(nil, validators(modified: Time.ten)), .replace, nil,
        condition: validators(modified: Time.ten)),
    Row("no record, date later", LocalFacts(file: file), remote(nil, validators(modified: Time.eleven)), .replace, nil),
    Row(
        "the mtime before 1970",
        LocalFacts(file: LocalFile(size: 5, modified: -1)), remote(nil), .replace, nil,
        condition: validators(modified: "Wed, 31 Dec 1969 23:59:59 GMT")),
    Row(
        "a record, same ETag", LocalFacts(file: file, record: record(validators("\"a\""))),
        remote(nil, validators("\"a\"")), .skip, []),
    Row(
        "a record, other ETag", LocalFacts(file: file, record: record(validators("\"a\""))),
        remote(nil, validators("\"b\"")), .replace, nil),
    Row(
        "a record, no answer to compare", LocalFacts(file: file, record: record(validators("\"a\""))), remote(nil),
        .replace, nil, condition: validators("\"a\"")),
    Row(
        "a record without validators: nothing to compare", LocalFacts(file: file, record: record()), remote(nil),
        .replace, nil),
    Row(
        "a record of another file: the mtime",
        LocalFacts(file: file, record: record(validators("\"a\""), modified: mtime + 1)), remote(nil), .replace, nil,
        condition: validators(modified: Time.ten)),
    Row(
        "--size-only: nothing to compare", LocalFacts(file: file, record: record(validators("\"a\""))),
        remote(nil, validators("\"a\"")), policy: Policy(sizeOnly: true), .replace, nil),
    Row(
        "the record is of a coded body, same ETag (C049)",
        LocalFacts(file: file, record: record(validators("\"a\""), encoded: true)), remote(66, validators("\"a\"")),
        .skip, []),
    Row(
        "the record is of a coded body, nothing to compare (C049)",
        LocalFacts(file: file, record: record(validators("\"a\""), encoded: true)), remote(66), .replace, nil,
        condition: validators("\"a\"")),
    Row(
        "a partial file is of no use", LocalFacts(file: file, partial: nineTenths), remote(nil, validators("\"a\"")),
        .replace, nil, condition: validators(modified: Time.ten)),
    Row("not asked", LocalFacts(file: file), nil, .replace, nil, condition: validators(modified: Time.ten)),
    Row(
        "questions refused: a GET decides", LocalFacts(file: file, record: record(validators("\"a\""))),
        RemoteFacts(refusal: gone), .replace, nil, condition: validators("\"a\"")),
    Row(
        "questions refused, a partial file: it is gone on from", LocalFacts(file: file, partial: nineTenths),
        RemoteFacts(refusal: gone), .replace, [range(900, 999)], kept: .partial(nineTenths)),
    Row(
        "the source says another size: no condition",
        LocalFacts(file: file, record: record(validators("\"a\""))), remote(nil),
        options: EntryOptions(size: 501), .replace, nil),
    Row(
        "the source says another size: not in line, though the server's validators are",
        LocalFacts(file: file, record: record(validators("\"a\""))), remote(nil, validators("\"a\"")),
        options: EntryOptions(size: 501), .replace, nil),
    Row(
        "the source says the local size: a condition", LocalFacts(file: file, record: record(validators("\"a\""))),
        remote(nil), options: EntryOptions(size: 500), .replace, nil, condition: validators("\"a\"")),
    Row(
        "refused: the local file stays", LocalFacts(file: file), RemoteFacts(failure: gone), .replace, nil,
        failure: gone),
    Row(
        "refused with --size-only", LocalFacts(file: file), RemoteFacts(failure: gone),
        policy: Policy(sizeOnly: true), .replace, nil, failure: gone),
    Row(
        "an unusable path of a file", LocalFacts(file: file, failure: .isFolder), remote(500), .replace, nil,
        failure: .isFolder),
]

private let sizes = [
    Row(
        "an empty local file keeps nothing", LocalFacts(file: LocalFile(size: 0, modified: mtime)), remote(9), .resume,
        [range(0, 8)]),
    Row("both empty", LocalFacts(file: LocalFile(size: 0, modified: mtime)), remote(0), .skip, []),
    Row("the remote became empty", LocalFacts(file: file), remote(0), .delete, []),
    Row(
        "the largest", LocalFacts(file: file), remote(Int64.max), .resume, [range(500, Int64.max - 1)],
        kept: .localFile(500, Generation(total: Int64.max, validators: Validators()))),
    Row(
        "mtime half a second later than the date",
        LocalFacts(file: LocalFile(size: 500, modified: mtime + 500_000_000)),
        remote(500, validators(modified: Time.ten)), .skip, []),
    Row(
        "mtime half a second earlier than the date",
        LocalFacts(file: LocalFile(size: 500, modified: mtime - 500_000_000)),
        remote(500, validators(modified: Time.ten)), .replace, [range(0, 499)]),
    Row(
        "the least mtime", LocalFacts(file: LocalFile(size: 500, modified: Int64.min)),
        remote(500, validators(modified: Time.ten)), .replace, [range(0, 499)]),
    Row("declared, all agree", LocalFacts(file: file), remote(500), options: EntryOptions(size: 500), .skip, []),
    Row(
        "declared, the local file agrees, the server does not (C051)", LocalFacts(file: file), remote(499),
        options: EntryOptions(size: 500), .replace, [range(0, 498)]),
    Row(
        "declared, the server agrees", LocalFacts(file: file), remote(1000), options: EntryOptions(size: 1000),
        .resume, [range(500, 999)], kept: .localFile(500, Generation(total: 1000, validators: Validators()))),
]

private let checksums = [
    Row(
        "declared, equal: no server is needed", LocalFacts(file: file, checksum: red), nil,
        policy: Policy(checksum: true), options: EntryOptions(checksum: red), .skip, []),
    Row(
        "declared, equal: in place of sizes", LocalFacts(file: file, checksum: red), remote(1000),
        policy: Policy(checksum: true), options: EntryOptions(checksum: red), .skip, []),
    Row(
        "declared, different: in place of sizes", LocalFacts(file: file, checksum: blue), remote(500),
        policy: Policy(checksum: true), options: EntryOptions(checksum: red), .replace, [range(0, 499)]),
    Row(
        "declared, different, not asked", LocalFacts(file: file, checksum: blue), nil,
        policy: Policy(checksum: true), options: EntryOptions(checksum: red), .replace, nil),
    Row(
        "declared, different, a partial file",
        LocalFacts(file: file, partial: nineTenths, checksum: blue), remote(1000, validators("\"a\"")),
        policy: Policy(checksum: true), options: EntryOptions(checksum: red), .replace, [range(900, 999)],
        kept: .partial(nineTenths)),
    Row(
        "declared in another type: sizes decide", LocalFacts(file: file, checksum: otherType), remote(500),
        policy: Policy(checksum: true), options: EntryOptions(checksum: red), .skip, []),
    Row(
        "not asked for", LocalFacts(file: file, checksum: blue), remote(500), options: EntryOptions(checksum: red),
        .skip, []),
    Row(
        "recorded, equal, same size", LocalFacts(file: file, record: record(checksum: red), checksum: red), remote(500),
        policy: Policy(checksum: true), .skip, []),
    Row(
        "recorded, equal, but the server has another",
        LocalFacts(file: file, record: record(validators("\"a\""), checksum: red), checksum: red),
        remote(500, validators("\"b\"")), policy: Policy(checksum: true), .replace, [range(0, 499)]),
    Row(
        "recorded, different: the local file is harmed",
        LocalFacts(file: file, record: record(validators("\"a\""), checksum: red), checksum: blue),
        remote(500, validators("\"a\"")), policy: Policy(checksum: true), .replace, [range(0, 499)]),
    Row(
        "recorded of another file: sizes decide",
        LocalFacts(file: file, record: record(checksum: red, modified: mtime + 1), checksum: blue), remote(500),
        policy: Policy(checksum: true), .skip, []),
    Row(
        "declared before recorded", LocalFacts(file: file, record: record(checksum: blue), checksum: blue), remote(500),
        policy: Policy(checksum: true), options: EntryOptions(checksum: red), .replace, [range(0, 499)]),
    Row("none known: sizes decide", LocalFacts(file: file), remote(500), policy: Policy(checksum: true), .skip, []),
    Row(
        "--ignore-existing comes first", LocalFacts(file: file, checksum: blue), remote(500),
        policy: Policy(checksum: true, ignoreExisting: true), options: EntryOptions(checksum: red), .skip, []),
]

@Suite struct PlannerTests {
    @Test(arguments: missing)
    fileprivate func missingFile(_ row: Row) { check(row) }

    @Test(arguments: unknownSizes)
    fileprivate func unknownSize(_ row: Row) { check(row) }

    @Test(arguments: sizes)
    fileprivate func size(_ row: Row) { check(row) }

    @Test(arguments: checksums)
    fileprivate func checksum(_ row: Row) { check(row) }

    private func check(_ row: Row) {
        let decision = Planner(policy: row.policy).decide(local: row.local, remote: row.remote, options: row.options)
        #expect(decision.action == row.action, "\(decision.reason)")
        #expect(decision.ranges == row.ranges)
        #expect(decision.kept == row.kept)
        #expect(decision.condition == row.condition)
        #expect(decision.failure == row.failure)
        #expect(decision.localSize == row.local.file?.size)
        #expect(!decision.reason.isEmpty)
    }

    /// The words of the contract's example and those that a user looks for.
    @Test(
        arguments: [
            (500, "local 500 = remote 500"), (1000, "local 500 < remote 1000"), (400, "local 500 > remote 400"),
        ] as [(Int64, String)])
    func reasons(_ row: (size: Int64, reason: String)) {
        let decision = Planner(policy: Policy()).decide(
            local: LocalFacts(file: file), remote: remote(row.size), options: nil)
        #expect(decision.reason == row.reason)
    }

    @Test(
        "a complete partial of a state that the server does not name: its end is asked for again",
        arguments: [
            (validators("\"a\""), Validators()), (Validators(), Validators()), (Validators(), validators("\"a\"")),
        ])
    func completeAndSilent(_ row: (old: Validators, new: Validators)) {
        let size: Int64 = 100_000
        for total in [size, Overlap.length] {
            let all = PartialRecord(
                url: "u", generation: Generation(total: total, validators: row.old), ranges: set(range(0, total - 1)))
            let decision = Planner(policy: Policy()).decide(
                local: LocalFacts(partial: all), remote: remote(total, row.new), options: nil)
            let first = total - Overlap.length
            #expect(decision.action == (first > 0 ? .resume : .fetch))
            #expect(decision.ranges == [range(first, total - 1)])
        }
    }

    @Test func aCompletePartialIsNotCalledSmaller() {
        let state = validators("\"a\"")
        let all = PartialRecord(
            url: "u", generation: Generation(total: 1000, validators: state), ranges: set(range(0, 999)))
        let decision = Planner(policy: Policy()).decide(
            local: LocalFacts(partial: all), remote: remote(1000, state), options: nil)
        #expect(decision.action == .resume)
        #expect(decision.ranges == [])
        #expect(decision.reason == "partial 1000 = remote 1000")
    }
}
