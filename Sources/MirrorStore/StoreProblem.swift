// Why a run cannot begin at DIR.

import MirrorCore

/// DIR cannot be used.
package enum StoreProblem: Error, Sendable, Equatable {
    /// Another run has it.
    case locked
    case unusable(Failure)
}
