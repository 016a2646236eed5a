// The rules: facts in, decision out. Pure and total; a dry run prints what comes out of here, a real run does it.

/// Decides what is done with one entry.
package struct Planner: Sendable {
    package let policy: Policy

    package init(policy: Policy) { self.policy = policy }

    /// - Parameters:
    ///   - remote: nil when the server was not asked, because the answer could not change the action.
    ///   - listed: what an index says of the entry.
    ///   - options: what the source says of the entry.
    package func decide(
        local: LocalFacts, remote: RemoteFacts?, listed: ListedFacts = ListedFacts(), options: EntryOptions?
    ) -> Decision {
        if let failure = local.failure { return refusal(local, failure, remote) }
        guard let file = local.file else { return decideMissing(local, remote) }
        if policy.ignoreExisting { return skip(file, remote, "exists") }
        if remote == nil, policy.isInLine(local, with: listed) {
            return skip(file, RemoteFacts(size: listed.size), "size and time as the index says")
        }
        if let decision = decideByChecksum(file, local, remote, options?.checksum) { return decision }
        guard let remote else { return unknownSize(file, local, RemoteFacts(), options?.size) }
        if let failure = remote.failure { return refusal(local, failure, remote) }
        if !policy.sizeOnly, let evidence = changeEvidence(file, local, remote) {
            return whole(.replace, evidence, file, local, remote)
        }
        if let size = remote.size, let declared = options?.size, size != declared {
            return whole(.replace, "the source says \(declared) bytes, the server \(size)", file, local, remote)
        }
        return decideBySize(file, local, remote, options?.size)
    }

    private func decideMissing(_ local: LocalFacts, _ remote: RemoteFacts?) -> Decision {
        guard let remote else { return Decision(.fetch, "missing") }
        if let failure = remote.failure { return refusal(local, failure, remote) }
        if let partial = usablePartial(local, remote) {
            let size = partial.generation.total
            let relation = partial.ranges.isComplete(total: size) ? "=" : "<"
            let reason = "partial \(partial.ranges.count) \(relation) remote \(size)" + Self.note(remote)
            return Decision(
                .resume, reason, remoteSize: size, kept: .partial(partial), ranges: partial.ranges.missing(of: size))
        }
        let reason = local.partial == nil ? "missing" : "missing; the partial file is of another version"
        return Decision(
            .fetch, reason + Self.note(remote), remoteSize: remote.size, ranges: remote.size.map(Self.all))
    }

    private func decideByChecksum(
        _ file: LocalFile, _ local: LocalFacts, _ remote: RemoteFacts?, _ declared: Checksum?
    ) -> Decision? {
        guard policy.checksum, let actual = local.checksum, let expected = declared ?? local.validRecord?.checksum,
            actual.algorithm == expected.algorithm
        else { return nil }
        if actual != expected {
            return whole(.replace, "\(expected.algorithm.rawValue) differs", file, local, remote ?? RemoteFacts())
        }
        // A recorded checksum proves the local file unharmed; whether it is still current is for the server to say.
        return declared == nil ? nil : skip(file, remote, "\(expected.algorithm.rawValue) equal")
    }

    /// The reason to think that the remote file has changed since the local one was fetched, if there is one.
    private func changeEvidence(_ file: LocalFile, _ local: LocalFacts, _ remote: RemoteFacts) -> String? {
        if let record = local.validRecord {
            if let old = record.validators.etag, let new = remote.validators.etag, !old.weaklyMatches(new) {
                return "ETag was \(old.text), is \(new.text)" + Self.wentBack(record.validators, remote.validators)
            }
            let old = record.validators, new = remote.validators
            if Validators(lastModified: old.lastModified).compare(with: Validators(lastModified: new.lastModified))
                == .different
            {
                return "Last-Modified was \(old.lastModified ?? ""), is \(new.lastModified ?? "")"
                    + Self.wentBack(old, new)
            }
            // Same validators, or none, but not the size that was completed: the file is not the recorded one any more.
            if let size = remote.size, !record.isEncoded, size != record.size {
                return old.compare(with: new) == .same ? "recorded \(record.size), remote \(size)" : nil
            }
            return nil
        }
        if let modified = remote.validators.lastModifiedDate, modified.seconds > file.modifiedSeconds {
            return "remote is newer: \(modified.isoText) > \(HTTPDate(seconds: file.modifiedSeconds).isoText)"
        }
        return nil
    }

    /// An older state than the one that was fetched is the server's truth, but worth a look: a mirror of a mirror may lag.
    private static func wentBack(_ old: Validators, _ new: Validators) -> String {
        guard let before = old.lastModifiedDate, let now = new.lastModifiedDate, now < before else { return "" }
        return "; the remote file went back in time, from \(before.isoText) to \(now.isoText)"
    }

    private func decideBySize(
        _ file: LocalFile, _ local: LocalFacts, _ remote: RemoteFacts, _ declared: Int64?
    ) -> Decision {
        let isComparable = !(local.validRecord?.isEncoded ?? false)
        guard let size = remote.size, isComparable else { return unknownSize(file, local, remote, declared) }
        if file.size == size { return skip(file, remote, "local \(file.size) = remote \(size)") }
        if file.size > size { return whole(.delete, "local \(file.size) > remote \(size)", file, local, remote) }
        let reason = "local \(file.size) < remote \(size)"
        if let partial = usablePartial(local, remote), partial.ranges.count >= file.size {
            return whole(.resume, reason, file, local, remote)
        }
        let generation = Generation(total: size, validators: remote.validators)
        return Decision(
            .resume, reason, localSize: file.size, remoteSize: size,
            kept: file.size == 0 ? .nothing : .localFile(file.size, generation),
            ranges: ByteRange(first: file.size, end: size).map { [$0] })
    }

    /// The size cannot be compared: validators decide, here where an answer gave them, else in a conditional request.
    private func unknownSize(
        _ file: LocalFile, _ local: LocalFacts, _ remote: RemoteFacts, _ declared: Int64?
    ) -> Decision {
        // A file of the wrong size is not in line, however unchanged the remote one is.
        let isWrong = declared.map { $0 != file.size } ?? false
        if !isWrong, !policy.sizeOnly, let record = local.validRecord,
            record.validators.compare(with: remote.validators) == .same
        {
            return skip(file, remote, "validators unchanged")
        }
        let reason =
            (isWrong ? "local \(file.size), the source says \(declared ?? 0) bytes" : "the remote size is not known")
            + Self.note(remote)
        // What was begun goes on, and ends with a plain GET where ranges are refused.
        if remote.refusal != nil, usablePartial(local, remote) != nil {
            return whole(.replace, reason, file, local, remote)
        }
        let known =
            local.validRecord?.validators
            ?? Validators(lastModified: HTTPDate(seconds: file.modifiedSeconds).httpText)
        return Decision(
            .replace, reason, localSize: file.size,
            condition: known.isEmpty || policy.sizeOnly || isWrong ? nil : known)
    }

    /// What the server said in place of facts: the GET decides, and what it will say is likely the same.
    private static func note(_ remote: RemoteFacts) -> String {
        guard let status = remote.refusal?.status else { return "" }
        return "; the server answered \(status) when asked for it"
    }

    /// An action that ends with a whole new file, which bytes of a matching partial file may already be part of.
    private func whole(
        _ action: Action, _ reason: String, _ file: LocalFile, _ local: LocalFacts, _ remote: RemoteFacts
    ) -> Decision {
        guard let partial = usablePartial(local, remote) else {
            return Decision(
                action, reason, localSize: file.size, remoteSize: remote.size, ranges: remote.size.map(Self.all))
        }
        return Decision(
            action, reason, localSize: file.size, remoteSize: partial.generation.total, kept: .partial(partial),
            ranges: partial.ranges.missing(of: partial.generation.total))
    }

    /// The partial file, when its bytes belong to the state that the server has now, or may do: where questions are
    /// refused, the answers to its ranges tell.
    private func usablePartial(_ local: LocalFacts, _ remote: RemoteFacts) -> PartialRecord? {
        guard let partial = local.partial, !partial.ranges.isEmpty, partial.ranges.end <= partial.generation.total
        else { return nil }
        if remote.refusal != nil, remote.size == nil { return askable(partial) }
        guard let size = remote.size, partial.generation.accepts(total: size, validators: remote.validators)
        else { return nil }
        return partial.generation.validators.compare(with: remote.validators) == .same ? partial : askable(partial)
    }

    /// A partial file of a state that the server has not named. One that is complete would ask for nothing that could
    /// tell: its end is fetched again, and what comes before that is compared.
    private func askable(_ partial: PartialRecord) -> PartialRecord? {
        guard partial.ranges.isComplete(total: partial.generation.total) else { return partial }
        var partial = partial
        partial.ranges.truncate(to: partial.generation.total - Overlap.length)
        return partial.ranges.isEmpty ? nil : partial
    }

    private func skip(_ file: LocalFile, _ remote: RemoteFacts?, _ reason: String) -> Decision {
        Decision(.skip, reason, localSize: file.size, remoteSize: remote?.size, ranges: [])
    }

    private func refusal(_ local: LocalFacts, _ failure: Failure, _ remote: RemoteFacts?) -> Decision {
        Decision(
            local.file == nil ? .fetch : .replace, failure.message, localSize: local.file?.size,
            remoteSize: remote?.size, failure: failure)
    }

    private static func all(of size: Int64) -> [ByteRange] { ByteRange(first: 0, end: size).map { [$0] } ?? [] }
}
