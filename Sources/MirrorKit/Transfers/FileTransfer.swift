// Brings one file together, from as many requests as it takes. Two ladders end every case: attempts at one URL
// (ranges in parallel, one stream that resumes, one fresh stream, failure), and URLs in the order of the source.

import MirrorCore
import MirrorStore
import MirrorTransport

/// The transfer of one file. Lives on the loop's thread.
actor FileTransfer {
    /// How it ended.
    enum End: Sendable, Equatable {
        case complete
        /// 304: there is nothing to fetch.
        case unchanged
        case failed(Failure)
        case cancelled
    }

    let plan: TransferPlan
    let context: TransferContext
    private let place: Place
    var account = TransferAccount()
    let assembly: Assembly
    /// The attempt that is running.
    var attempt: Attempt
    var rung = Rung.parallel
    var bypassesCaches = false
    /// Whether the present URL was asked for ranges, and whether an answer was what it should be.
    var ranges = (areAsked: false, areSeen: false)
    /// How long the last body was that was whole by its framing and not by the size that was claimed.
    var lastUnbounded: Int64?
    /// What the present URL sent that was too little of what was asked for.
    var smallParts = SmallParts()

    /// A file that changes is begun again this often with all speed; then once in one plain stream, which cannot mix
    /// two states; then it has failed.
    private static let startOversAtFullSpeed = 2

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.courier.unownedExecutor }

    /// - Parameter place: left during waits, so that another file may begin.
    init(_ plan: TransferPlan, context: TransferContext, place: Place) {
        self.plan = plan
        self.context = context
        self.place = place
        attempt = Attempt(address: plan.addresses[0])
        assembly = Assembly(
            store: context.store, clock: context.clock, path: plan.path, address: plan.addresses[0],
            kept: plan.decision.kept)
        account.bytesReused = assembly.have.count
    }

    /// Fetches what is missing, from the first URL that can give it.
    func run() async -> End {
        var last = End.cancelled
        for address in plan.addresses {
            if case .failed(let failure) = last, !plan.entry.mayAsk(address, after: failure) { break }
            rung = .parallel
            assembly.turnToOtherURL()
            ranges = (false, false)
            lastUnbounded = nil
            smallParts = SmallParts()
            last = await withTaskCancellationHandler {
                await fetch(from: address)
            } onCancel: {
                Task(executorPreference: self.context.courier.loop) { await self.cancel() }
            }
            guard case .failed(let failure) = last, !failure.endsRun else { break }
        }
        switch last {
        case .complete: break
        case .unchanged: assembly.discard()
        case .failed, .cancelled: await assembly.leave()
        }
        return last
    }

    /// The order to give the finished bytes their name.
    var sealOrder: SealOrder? {
        guard let partial = assembly.partial, let generation = assembly.generation else { return nil }
        let record = FileRecord(
            url: assembly.url, size: generation.total, modified: 0, validators: generation.validators,
            mediaType: assembly.mediaType, isEncoded: assembly.isEncoded, checksum: plan.checksum)
        return SealOrder(
            partial: partial, size: generation.total, have: assembly.have, planned: plan.local,
            modified: generation.validators.lastModifiedDate, record: record)
    }

    /// The finished bytes could not get their name: another run may only have to do that.
    func keep() async { await assembly.leave() }

    private func fetch(from address: Address) async -> End {
        var patience = Patience(policy: plan.retryPolicy, clock: context.clock)
        var startOvers = 0
        var best = assembly.have.count
        var sameEnd = SameEnd()
        while true {
            account.attempts += 1
            let fetched = account.bytesFetched
            switch await makeAttempt(address) {
            case .complete:
                guard let failure = await checksumFailure() else { return .complete }
                // What could not be hashed is not wrong for that.
                guard failure.code == .checksum else { return .failed(failure) }
                // The fault may be in bytes that were there before: then, and only then, the same URL gets a second try.
                let wasResumed = account.bytesReused > 0
                startOver(failure.message)
                if !wasResumed { return .failed(failure) }
            case .unchanged: return .unchanged
            case .cancelled: return .cancelled
            case .startOver(let reason):
                startOvers += 1
                startOver(reason)
                best = 0
                if startOvers > Self.startOversAtFullSpeed + 1 { return .failed(.changed) }
                if startOvers > Self.startOversAtFullSpeed { rung = .fresh }
            case .rangeUnusable(let failure):
                guard let next = rung.next else { return .failed(failure) }
                // What is on disk stays until an answer has all of the file.
                rung = next
            case .failed(let failure) where failure.code == .sizeMismatch && !bypassesCaches:
                // A cache on the way may be behind its origin.
                bypassesCaches = true
            case .failed(let failure):
                if assembly.have.count > best {
                    best = assembly.have.count
                    patience.reset()
                } else if sameEnd.isStuck(at: assembly.have.count, wasted: account.bytesFetched - fetched) {
                    return .failed(.stuck(at: assembly.have.count, failure))
                }
                guard let delay = patience.delay(after: failure) else {
                    // It may be the range that is refused, or that the server dies of.
                    guard failure.isRefusal || failure.isOfTheWay && ranges == (true, false), rung != .fresh,
                        !assembly.have.isEmpty
                    else { return .failed(failure) }
                    rung = .fresh
                    continue
                }
                if failure.isShortage { place.lowerJobs() }
                await wait(delay)
                if Task.isCancelled { return .cancelled }
            }
        }
    }

    private func startOver(_ reason: String) {
        assembly.forget()
        account.bytesReused = 0
        account.restart = reason
    }

    private func wait(_ delay: Duration) async {
        account.retries += 1
        place.leave()
        await context.clock.sleep(delay)
        place.retake()
    }

    /// What the source says of the bytes, and what they are. Pieces prove a file that has no checksum of its own, and say
    /// of one that is wrong where it is.
    private func checksumFailure() async -> Failure? {
        guard let partial = assembly.partial else { return nil }
        guard let declared = plan.checksum else { return await pieceFailure(of: partial) }
        switch await context.store.checksum(of: partial, declared.algorithm) {
        case .success(let actual) where actual == declared: return nil
        case .success(let actual):
            let failure = Failure.checksum(declared: declared, actual: actual)
            guard let pieces = await pieceFailure(of: partial), pieces.code == .checksum else { return failure }
            return Failure(.checksum, "\(failure.message); \(pieces.message)")
        case .failure(let failure): return failure
        }
    }

    private func pieceFailure(of partial: PartialFile) async -> Failure? {
        guard let sums = plan.pieces, let total = assembly.generation?.total, sums.fits(size: total) else { return nil }
        switch await context.store.pieceFaults(in: partial, sums) {
        case .success(let faults):
            return faults.first.map { .pieces(wrong: faults.count, of: sums.count, first: $0) }
        case .failure(let failure): return failure
        }
    }
}
