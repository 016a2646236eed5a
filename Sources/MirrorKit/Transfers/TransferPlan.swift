// What one file's transfer needs to know, gathered from plan, entry and options.

import MirrorCore
import MirrorTransport

/// One planned file, ready to be carried out.
struct TransferPlan: Sendable {
    let path: LocalPath
    let entry: Entry
    let decision: Decision
    /// The file that had the name when the plan was made.
    let local: LocalFile?
    let checksum: Checksum?
    let pieces: PieceSums?
    let declaredSize: Int64?
    let promised: Validators
    /// What the server said before.
    let claim: Generation?
    let split: Int
    let minimumSplitSize: Int64
    let checksOverlap: Bool
    let refusesHTML: Bool
    let retryPolicy: RetryPolicy

    init(_ file: PlannedFile, path: LocalPath, options: SyncOptions) {
        self.path = path
        entry = file.entry
        decision = file.decision
        local = file.local
        let own = file.entry.options
        checksum = own?.checksum
        pieces = own?.pieces
        declaredSize = own?.size
        promised = own?.validators ?? Validators()
        claim = file.remote.flatMap { remote in
            remote.size.map { Generation(total: $0, validators: remote.validators) }
        }
        split = own?.split ?? options.split
        minimumSplitSize = options.minimumSplitSize
        checksOverlap = options.checksOverlap
        refusesHTML = MediaType.refusesHTML(
            name: path.name, earlier: file.remote?.mediaType ?? file.record?.mediaType)
        retryPolicy = options.retryPolicy
    }

    var addresses: [Address] { entry.addresses }

    /// A GET with all that the source says of this entry.
    func request(_ address: Address) -> Request { entry.request(.get, address) }
}
