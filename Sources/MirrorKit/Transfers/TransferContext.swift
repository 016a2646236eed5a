// What all transfers of a run share.

import MirrorStore

/// The rooms around a transfer.
struct TransferContext: Sendable {
    let courier: Courier
    let store: Store
    let space: SpaceBudget
    let clock: RunClock
    let progress: ProgressCounters
}
