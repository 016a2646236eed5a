// The contract's table of rules, every row against every kind of evidence, policy and partial file. What is expected
// is written down here a second time, in the words of the contract.

import MirrorCore
import Testing

/// What speaks for or against a change since the local file came.
struct Evidence: Sendable {
    let name: String
    /// Last-Modified and ETag that the record holds; nil: there is no record.
    let recorded: Validators?
    /// Whether the record speaks of the file that is there.
    let isRecordValid: Bool
    let remote: Validators
    /// "Known to have changed".
    let isChanged: Bool
    /// The same validators as were recorded: then another size than was recorded is a change as well (C001).
    let isSame: Bool

    init(
        _ name: String, recorded: Validators?, valid: Bool = true, remote: Validators, changed: Bool, same: Bool = false
    ) {
        self.name = name
        self.recorded = recorded
        isRecordValid = valid
        self.remote = remote
        isChanged = changed
        isSame = same
    }

    static let all = [
        Evidence(
            "same strong ETag", recorded: validators("\"a\""), remote: validators("\"a\""), changed: false,
            same: true),
        Evidence("other strong ETag", recorded: validators("\"a\""), remote: validators("\"b\""), changed: true),
        Evidence(
            "same weak ETag", recorded: validators("W/\"a\""), remote: validators("W/\"a\""), changed: false,
            same: true),
        Evidence("other weak ETag", recorded: validators("W/\"a\""), remote: validators("W/\"b\""), changed: true),
        Evidence(
            "ETag became weak", recorded: validators("\"a\""), remote: validators("W/\"a\""), changed: false,
            same: true),
        Evidence(
            "same Last-Modified", recorded: validators(modified: Time.ten), remote: validators(modified: Time.ten),
            changed: false, same: true),
        Evidence(
            "same Last-Modified in the form of RFC 850", recorded: validators(modified: Time.ten),
            remote: validators(modified: Time.ten850), changed: false, same: true),
        Evidence(
            "later Last-Modified", recorded: validators(modified: Time.ten),
            remote: validators(modified: Time.eleven), changed: true),
        Evidence(
            "earlier Last-Modified (C150)", recorded: validators(modified: Time.ten),
            remote: validators(modified: Time.nine), changed: true),
        Evidence(
            "same unreadable date", recorded: validators(modified: "x"), remote: validators(modified: "x"),
            changed: false, same: true),
        Evidence(
            "other unreadable date", recorded: validators(modified: "x"), remote: validators(modified: "y"),
            changed: true),
        Evidence(
            "same ETag, other date", recorded: validators("\"a\"", modified: Time.ten),
            remote: validators("\"a\"", modified: Time.nine), changed: true),
        Evidence(
            "other ETag, same date", recorded: validators("\"a\"", modified: Time.ten),
            remote: validators("\"b\"", modified: Time.ten), changed: true),
        Evidence(
            "a record without validators", recorded: validators(),
            remote: validators("\"a\"", modified: Time.eleven), changed: false),
        Evidence(
            "an answer without validators", recorded: validators("\"a\"", modified: Time.ten),
            remote: validators(), changed: false),
        Evidence(
            "only an ETag then, only a date now", recorded: validators("\"a\""),
            remote: validators(modified: Time.eleven), changed: false),

        Evidence(
            "a record of another file, other ETag", recorded: validators("\"a\""), valid: false,
            remote: validators("\"b\""), changed: false),
        Evidence(
            "a record of another file, date not later", recorded: validators(modified: Time.nine), valid: false,
            remote: validators(modified: Time.ten), changed: false),
        Evidence(
            "a record of another file, date later", recorded: validators(modified: Time.eleven), valid: false,
            remote: validators(modified: Time.eleven), changed: true),

        Evidence("no record, nothing known", recorded: nil, remote: validators(), changed: false),
        Evidence("no record, an ETag", recorded: nil, remote: validators("\"a\""), changed: false),
        Evidence(
            "no record, date earlier than mtime", recorded: nil, remote: validators(modified: Time.nine),
            changed: false),
        Evidence(
            "no record, date equal to mtime", recorded: nil, remote: validators(modified: Time.ten),
            changed: false),
        Evidence(
            "no record, date later than mtime", recorded: nil, remote: validators(modified: Time.eleven),
            changed: true),
        Evidence(
            "no record, unreadable date", recorded: nil, remote: validators(modified: "yesterday"),
            changed: false),
    ]
}

enum PartialKind: CaseIterable, Sendable {
    case none, larger, smaller, empty, complete, otherTotal, otherValidators, beyondTheEnd

    /// A partial file beside a remote file of this size and these validators.
    func record(size: Int64, _ remote: Validators) -> PartialRecord? {
        func make(_ total: Int64, _ validators: Validators, _ end: Int64) -> PartialRecord {
            PartialRecord(
                url: "u", generation: Generation(total: total, validators: validators),
                ranges: RangeSet([ByteRange(first: 0, end: end)].compactMap { $0 }))
        }
        switch self {
        case .none: return nil
        case .larger: return make(size, remote, size * 9 / 10)
        case .smaller: return make(size, remote, size / 10)
        case .empty: return make(size, remote, 0)
        case .complete: return make(size, remote, size)
        case .otherTotal: return make(size + 1, remote, size * 9 / 10)
        case .otherValidators: return make(size, validators("\"z\"", modified: Time.nine), size * 9 / 10)
        case .beyondTheEnd: return make(size, remote, size + 1)
        }
    }

    /// Bytes that the remote file of this size and these validators still has.
    func usable(size: Int64, _ remote: Validators) -> RangeSet? {
        let ranges = record(size: size, remote)?.ranges ?? RangeSet()
        switch self {
        case .none, .empty, .otherTotal, .beyondTheEnd: return nil
        case .otherValidators
        where remote.etag != nil || remote.lastModified != nil && remote.lastModified != Time.nine:
            return nil
        case .complete where remote.isEmpty:
            // Nothing says that it is of the same state: its end is fetched again.
            var beginning = ranges
            beginning.truncate(to: size - Overlap.length)
            return beginning.isEmpty ? nil : beginning
        default: return ranges.isEmpty ? nil : ranges
        }
    }
}

struct TableRow: Sendable, CustomTestStringConvertible {
    let evidence: Evidence
    let remoteSize: Int64

    var testDescription: String { "\(evidence.name), L = 500, R = \(remoteSize)" }

    static let all = Evidence.all.flatMap { evidence in
        ([0, 1, 400, 500, 501, 1000, 1 << 40] as [Int64]).map { TableRow(evidence: evidence, remoteSize: $0) }
    }

    private static let mtime = Time.tenSeconds * 1_000_000_000

    func local(_ partial: PartialKind) -> LocalFacts {
        let record = evidence.recorded.map {
            FileRecord(url: "u", size: 500, modified: Self.mtime - (evidence.isRecordValid ? 0 : 1), validators: $0)
        }
        return LocalFacts(
            file: LocalFile(size: 500, modified: Self.mtime), record: record,
            partial: partial.record(size: remoteSize, evidence.remote))
    }

    var remote: RemoteFacts { RemoteFacts(size: remoteSize, validators: evidence.remote, status: 200, requests: 1) }

    /// The table of the contract.
    func expectedAction(sizeOnly: Bool) -> Action {
        if !sizeOnly, evidence.isChanged || evidence.isSame && remoteSize != 500 { return .replace }
        return remoteSize == 500 ? .skip : remoteSize > 500 ? .resume : .delete
    }
}

@Suite struct PlannerTableTests {
    @Test(arguments: TableRow.all)
    func everyRow(_ row: TableRow) {
        for kind in PartialKind.allCases {
            for sizeOnly in [false, true] {
                let planner = Planner(policy: Policy(sizeOnly: sizeOnly))
                let decision = planner.decide(local: row.local(kind), remote: row.remote, options: nil)
                check(decision, row, kind, row.expectedAction(sizeOnly: sizeOnly))
            }
        }
    }

    private func check(_ decision: Decision, _ row: TableRow, _ kind: PartialKind, _ action: Action) {
        let size = row.remoteSize
        #expect(decision.action == action, "\(kind): \(decision.reason)")
        #expect(decision.localSize == 500)
        #expect(decision.remoteSize == size)
        #expect(decision.failure == nil)
        #expect(decision.condition == nil)
        #expect(!decision.reason.isEmpty)
        let usable = kind.usable(size: size, row.evidence.remote)
        let kept: Kept, ranges: [ByteRange]
        switch action {
        case .skip: (kept, ranges) = (.nothing, [])
        case .resume where (usable?.count ?? 0) < 500:
            kept = .localFile(500, Generation(total: size, validators: row.evidence.remote))
            ranges = [range(500, size - 1)]
        default:
            kept =
                usable.flatMap { usable in
                    row.local(kind).partial.map {
                        .partial(PartialRecord(url: $0.url, generation: $0.generation, ranges: usable))
                    }
                } ?? .nothing
            ranges = (usable ?? RangeSet()).missing(of: size)
        }
        #expect(decision.kept == kept, "\(kind)")
        #expect(decision.ranges == ranges, "\(kind)")
    }

    @Test(arguments: Evidence.all.map(\.name))
    func ignoreExistingSkipsWhateverExists(_ name: String) {
        for row in TableRow.all where row.evidence.name == name {
            for remote in [row.remote, nil] {
                let planner = Planner(policy: Policy(ignoreExisting: true))
                let decision = planner.decide(local: row.local(.larger), remote: remote, options: nil)
                #expect(decision.action == .skip)
                #expect(decision.ranges == [])
                #expect(decision.kept == .nothing)
            }
        }
    }
}
