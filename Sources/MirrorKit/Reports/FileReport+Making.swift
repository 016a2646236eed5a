// From a planned file and its outcome to a line of the report.

import MirrorCore
import MirrorURL

extension FileReport {
    /// - Parameter outcome: nil for a dry run, and for an entry that the run did not come to.
    init(_ file: PlannedFile, _ outcome: Outcome?, isDryRun: Bool) {
        let decision = file.decision
        let status: FileStatus =
            outcome?.status ?? (decision.failure != nil ? .failed : isDryRun ? .planned : .interrupted)
        self.init(
            path: file.path?.text ?? file.entry.options?.refusedName ?? "", url: Redaction.text(of: file.entry.address),
            action: status == .unchanged ? .skip : decision.action, reason: decision.reason,
            status: isDryRun && decision.action == .skip && status == .planned ? .unchanged : status)
        localSize = decision.localSize
        remoteSize = outcome?.finalSize ?? decision.remoteSize
        // A file that was fetched without a question before it: what a dry run would have said.
        ranges = decision.ranges ?? outcome?.finalSize.map { ByteRange(first: 0, end: $0).map { [$0] } ?? [] }
        failure = outcome?.failure ?? decision.failure
        requests = file.remote?.requests ?? 0
        httpStatus = file.remote?.status
        let known = file.remote?.validators
        etag = known?.etag?.text
        lastModified = known?.lastModifiedDate
        checksum = file.entry.options?.checksum
        if let outcome { add(outcome) }
    }

    /// An entry that the run did not come to before it was ended.
    init(undecided entry: Entry) {
        self.init(
            path: entry.path?.text ?? "", url: Redaction.text(of: entry.address), action: .fetch,
            reason: "the run ended before it was decided", status: .interrupted)
    }

    private mutating func add(_ outcome: Outcome) {
        let account = outcome.account
        bytesFetched = account.bytesFetched
        bytesReused = outcome.status == .done ? account.bytesReused : 0
        attempts = account.attempts
        requests += account.requests
        retries = account.retries
        seconds = outcome.seconds
        checksumVerified = outcome.isVerified
        if let restart = account.restart { reason += "; begun again: \(restart)" }
        if outcome.status == .done {
            switch account.lengthDoubt {
            case .endedWithConnection: reason += "; the length is not proved: it ended with the connection"
            case .lessThanClaimed(let claim): reason += "; the length is not proved: HEAD said \(claim)"
            case nil: break
            }
        }
        if outcome.status == .unchanged, action == .skip, account.head?.status == 304 { reason = "not modified (304)" }
        httpStatus = account.head?.status ?? httpStatus
        etag = outcome.validators?.etag?.text ?? etag
        lastModified = outcome.validators?.lastModifiedDate ?? lastModified
    }
}
