// The state of one attempt to bring a file together from one URL.

import MirrorCore

/// How the bytes are asked for; each step down gives up speed for certainty.
enum Rung: Sendable, Equatable {
    /// Ranges, several at once.
    case parallel
    /// One open-ended request from the first missing byte.
    case resumed
    /// One plain request for all of it.
    case fresh

    var next: Rung? {
        switch self {
        case .parallel: .resumed
        case .resumed: .fresh
        case .fresh: nil
        }
    }
}

/// How an attempt, or one stream of it, ended.
enum AttemptEnd: Sendable, Equatable {
    case complete
    /// 304.
    case unchanged
    /// The bytes on disk are of no use; what was seen.
    case startOver(String)
    case rangeUnusable(Failure)
    case failed(Failure)
    case cancelled
}

/// One attempt: the shares nobody has taken, and the streams that take them. The lead begins alone; once its answer
/// has told the size and proved the bytes on disk, siblings join it from the other end of the file.
struct Attempt {
    let address: Address
    var queue = RangeQueue()
    var siblings: [Task<Void, Never>] = []
    /// What ended the attempt for all its streams.
    var halt: AttemptEnd?
    /// Why a sibling gave up: the file may well be completed without it.
    var siblingFailure: AttemptEnd?
    /// Whether siblings may still join.
    var takesSiblings = false
    /// Whether a whole file in answer to a range request may take the place of what is on disk: only while no sibling
    /// writes.
    var adoptsWhole = true

    init(address: Address) { self.address = address }
}
