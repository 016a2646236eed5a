// What became of one planned file.

import MirrorCore

/// The end of one entry of the plan.
struct Outcome: Sendable {
    var status: FileStatus
    var account = TransferAccount()
    var failure: Failure?
    /// The size under the final name, read from the disk after the fact.
    var finalSize: Int64?
    var isVerified = false
    /// The state of the remote file that the bytes are of.
    var validators: Validators?
    var seconds = 0.0
}
