// Two judgements about what bears a final name: may it be replaced, and is it still what was put there? The disk is
// looked at elsewhere.

/// What may happen to a name, and what must be true of it afterwards.
package enum FinalName {
    /// Why a file may not lose its name to the new one: only what the plan has judged may. A file that somebody else put
    /// there meanwhile, or that another entry has on a volume where both names are one, is nobody's to drop.
    /// - Parameters:
    ///   - found: the file that has the name now.
    ///   - planned: the file that had it when the plan was made.
    package static func refusal(toReplace found: LocalFile, planned: LocalFile?) -> Failure? {
        guard let planned else { return .nameTaken }
        return found == planned ? nil : .localFileChanged
    }

    /// Why what is there is not what was put there.
    /// - Parameters:
    ///   - found: what bears the name; nil for nothing.
    ///   - placed: size and time of the file that was given the name.
    ///   - isSame: whether the file system says that it is the same file. Some number files anew at each look: there, a
    ///     file of the same time counts as the same.
    package static func fault(_ found: LocalFile?, placed: LocalFile, isSame: Bool) -> Failure? {
        guard let found else { return .goneAtOnce }
        if found.size != placed.size { return .changedAtOnce(placed: placed.size, found: found.size) }
        return isSame || found.modified == placed.modified ? nil : .replacedAtOnce
    }
}

extension Failure {
    package static let nameTaken = Failure(.conflict, "another file has taken the name since the run began")
    package static let localFileChanged = Failure(.conflict, "the local file has changed since the run began")
    package static let goneAtOnce = Failure(.conflict, "something else removed the new file as soon as it had its name")
    package static let replacedAtOnce = Failure(.conflict, "something else put another file in place of the new one")

    package static func changedAtOnce(placed: Int64, found: Int64) -> Failure {
        Failure(.sizeMismatch, "the new file had \(placed) bytes, and something else left \(found) of them there")
    }
}
