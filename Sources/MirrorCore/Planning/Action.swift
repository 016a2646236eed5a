// What is done with an entry.

/// The actions of the contract's table of rules, and `remove`.
public enum Action: String, Sendable, CaseIterable {
    case fetch, resume, skip, delete, replace, remove
}

/// What decides an action, as options set it.
package struct Policy: Sendable, Equatable {
    /// Sizes decide alone; evidence of a change is not looked at.
    package var sizeOnly: Bool
    /// Known checksums decide in place of sizes.
    package var checksum: Bool
    /// Whatever exists is left as it is.
    package var ignoreExisting: Bool
    /// Files that agree with the exact size and time of their index are not asked for.
    package var trustsIndex: Bool

    package init(
        sizeOnly: Bool = false, checksum: Bool = false, ignoreExisting: Bool = false, trustsIndex: Bool = false
    ) {
        self.sizeOnly = sizeOnly
        self.checksum = checksum
        self.ignoreExisting = ignoreExisting
        self.trustsIndex = trustsIndex
    }

    /// Whether an entry needs an answer from the server before it can be decided.
    package func needsProbe(
        local: LocalFacts, declared: Checksum?, listed: ListedFacts = ListedFacts(), isDryRun: Bool
    ) -> Bool {
        if local.failure != nil { return false }
        guard local.file != nil else { return isDryRun || local.partial != nil }
        if ignoreExisting { return false }
        if isInLine(local, with: listed) { return false }
        // A checksum that agrees needs no server; one that does not leads to a fetch, which a dry run shows in full and
        // which goes on with a partial file only where the server still has that state.
        guard checksum, let declared, let actual = local.checksum, actual.algorithm == declared.algorithm else {
            return true
        }
        return actual != declared && (isDryRun || local.partial != nil)
    }

    /// Whether the local file has the size and the time that a trusted index gives exactly.
    package func isInLine(_ local: LocalFacts, with listed: ListedFacts) -> Bool {
        guard trustsIndex, !checksum, let file = local.file, let size = listed.size, let modified = listed.modified
        else { return false }
        let known = local.validRecord?.validators.lastModifiedDate?.seconds ?? file.modifiedSeconds
        return size == file.size && modified == known
    }
}
