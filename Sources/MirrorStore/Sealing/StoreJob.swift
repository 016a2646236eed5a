// What the store's thread can be asked to do.

import MirrorCore

/// One job of the store's thread.
enum StoreJob: Sendable {
    /// Void when the partial file has been begun anew since.
    case checkpoint(PartialFile, StoredPartial, since: Int, UnsafeContinuation<Failure?, Never>)
    case seal(SealOrder, UnsafeContinuation<Result<LocalFile, Failure>, Never>)
    case takeOver(TakeOverOrder, UnsafeContinuation<Result<TakenFile, Failure>, Never>)
    case remove(RemovalOrder, UnsafeContinuation<Result<RemovalOutcome, Failure>, Never>)
    /// Forgets and removes the partial file of the path.
    case drop(LocalPath)
    /// Closes and removes one partial file, and forgets its record.
    case giveUp(LocalPath, file: Int32, name: String)
    case recordRun(RunRecord, UnsafeContinuation<Failure?, Never>)
    /// Everything before it is done when this one is.
    case wait(UnsafeContinuation<Void, Never>)
    /// The last job.
    case close(UnsafeContinuation<Void, Never>?)

    /// Whether it gains by being done together with others: small files share their syncs, and nobody waits for what is
    /// given up.
    var isPatient: Bool {
        switch self {
        case .seal(let order, _): order.size < SealBatch.smallSize
        case .drop, .giveUp: true
        case .checkpoint, .takeOver, .remove, .recordRun, .wait, .close: false
        }
    }
}

/// The order to make a partial file of the file that has the name now.
struct TakeOverOrder: Sendable {
    let path: LocalPath
    /// Bytes that it has and that are kept.
    let size: Int64
    let generation: Generation
    let url: String
}

/// A file that was taken over.
struct TakenFile: Sendable {
    /// Open; the receiver closes it.
    let descriptor: Int32
    /// Its name in the folder of partial files.
    let name: String
}
