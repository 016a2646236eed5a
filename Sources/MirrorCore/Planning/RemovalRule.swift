// Which files `--delete` takes away. Only what mirror itself once fetched and what a source that is known to be whole
// no longer names; everything else is a refusal, and a refusal removes nothing at all.

/// How many files may be removed in one run.
public enum RemovalLimit: Sendable, Equatable {
    case files(Int)
    /// Percent of the recorded files, from 0 to 100.
    case percent(Int)

    /// Whether so many of the recorded files may go.
    package func allows(_ count: Int, of recorded: Int) -> Bool {
        switch self {
        case .files(let limit): count <= limit
        // In whole numbers: 25 % of 7 files is one file.
        case .percent(let limit): count <= recorded / 100 * limit + recorded % 100 * limit / 100
        }
    }

    /// As the option writes it.
    package var text: String {
        switch self {
        case .files(let limit): "\(limit)"
        case .percent(let limit): "\(limit)%"
        }
    }
}

/// What the user allows to be removed.
public struct RemovalPolicy: Sendable, Equatable {
    /// At most so many.
    public var limit = RemovalLimit.percent(25)
    /// Whether a source that names nothing may be meant so.
    public var allowsEmptySource = false

    /// The defaults of the contract.
    public init() {}
}

/// What is known of the sources as a whole.
package struct SourceState: Sendable, Equatable {
    /// Entries that the sources name, wanted or not.
    package var entries: Int
    /// Why they may name more; nil where they are known to be whole.
    package var gap: String?

    package init(entries: Int, gap: String? = nil) {
        self.entries = entries
        self.gap = gap
    }
}

extension RemovalPolicy {
    /// Why a source in this state says of no file that it is gone; nil where it can say so. One sentence without final
    /// stop, as all refusals.
    package func refusal(of source: SourceState) -> String? {
        if let gap = source.gap {
            return "nothing is removed, because a part of the source could not be read: \(gap)"
        }
        if source.entries == 0, !allowsEmptySource {
            return "nothing is removed, because the source names no files (--allow-empty)"
        }
        return nil
    }

    /// Why so many files may not go; nil where they may.
    /// - Parameters:
    ///   - count: files that would go: neither those that stay for another reason nor those that are gone already.
    ///   - recorded: how many files are recorded.
    package func refusal(of count: Int, recorded: Int) -> String? {
        if limit.allows(count, of: recorded) { return nil }
        return "nothing is removed: it would be \(count) of \(recorded) files, more than --max-delete \(limit.text)"
    }
}
