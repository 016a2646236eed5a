// Which files of a saved report are wanted.

/// A part of a report (`--only`).
public enum OnlyFilter: String, Sendable, CaseIterable {
    /// Files that failed or were interrupted.
    case failed

    func takes(status: String?) -> Bool {
        switch self {
        case .failed: status == "failed" || status == "interrupted"
        }
    }
}
