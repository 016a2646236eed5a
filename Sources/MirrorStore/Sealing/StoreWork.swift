// The work of the store's thread: a batch of jobs at a time, all of their changes in one transaction. Data is on disk
// before the transaction that speaks of it, and files are removed after the transaction that forgets them.

import Glibc
import MirrorCore
import MirrorThreads

/// What the store's thread works with.
final class StoreWork: Sendable {
    /// The most jobs in one batch: each seal in it is an open file.
    static let batchLimit = 512

    let root: Root
    let partials: PartialFolder
    let keeper: StateKeeper
    /// What the state says of partial files. Changed only here, after the database; read by everybody.
    let records: Locked<[LocalPath: StoredPartial]>
    /// What of them has yet to be proved; nil for nothing.
    let proof: PartialProof?
    let calls: SystemCalls
    private let locks: Locked<[Descriptor]>
    /// The folder of the backup that was copied to last.
    let tidiedFolder = Locked<String?>(nil)

    init(
        root: Root, partials: PartialFolder, keeper: StateKeeper, records: [LocalPath: StoredPartial],
        proof: PartialProof?, locks: [Descriptor], calls: SystemCalls
    ) {
        self.root = root
        self.partials = partials
        self.keeper = keeper
        self.records = Locked(records)
        self.proof = proof
        self.calls = calls
        self.locks = Locked(locks)
    }

    func process(_ jobs: [StoreJob]) {
        var batch: [StoreJob] = []
        for job in jobs {
            switch job {
            case .takeOver(let order, let continuation):
                // It writes a transaction of its own, which may not overtake those before it.
                finish(&batch)
                continuation.resume(returning: Result { () throws(Failure) in try takeOver(order) })
            case .remove(let order, let continuation):
                finish(&batch)
                continuation.resume(returning: Result { () throws(Failure) in try remove(order) })
            case .wait(let continuation):
                finish(&batch)
                continuation.resume()
            case .close(let continuation):
                finish(&batch)
                keeper.close()
                locks.withLock { $0 = [] }
                continuation?.resume()
            default: batch.append(job)
            }
        }
        finish(&batch)
    }

    private func finish(_ batch: inout [StoreJob]) {
        guard !batch.isEmpty else { return }
        var outcome = BatchOutcome(batch.count)
        sync(batch, &outcome)
        seal(batch, &outcome)
        let changes = batch.indices.flatMap { index in
            outcome.failures[index] == nil
                ? change(batch[index], index, &outcome) : forget(batch[index], index, &outcome)
        }
        do throws(Failure) {
            try keeper.apply(changes)
            let partials = outcome.partials
            records.withLock { records in
                for (path, stored) in partials { records[path] = stored }
            }
            for path in partials.keys { settle(path) }
            for name in outcome.unused { try? self.partials.remove(name) }
        } catch {
            for index in batch.indices where outcome.failures[index] == nil { outcome.failures[index] = error }
        }
        for index in batch.indices { resume(batch[index], index, outcome) }
        batch = []
    }

    /// What was to be proved of a partial file is proved or of no interest any more. When that is so of all, the state
    /// says it; where that fails, the next run proves them once more.
    func settle(_ path: LocalPath) {
        guard let proof else { return }
        proof.settle(path)
        guard proof.takeEnd(), let start = calls.machineStart() else { return }
        try? keeper.apply([.storeMachineStart(start)])
    }

    /// How the jobs of a batch went.
    private struct BatchOutcome {
        var failures: [Failure?]
        var seals: [Int: SealBatch.Seal] = [:]
        /// What the transaction makes of the records of partial files; nil where there is none any more.
        var partials: [LocalPath: StoredPartial?] = [:]
        /// Partial files that nobody speaks of when the transaction is through.
        var unused: [String] = []

        init(_ count: Int) { failures = Array(repeating: nil, count: count) }
    }

    private func sync(_ batch: [StoreJob], _ outcome: inout BatchOutcome) {
        for (index, job) in batch.enumerated() {
            guard case .checkpoint(let partial, _, let beginning, _) = job else { continue }
            do {
                // A file that is given up meanwhile stays open: this thread closes it, later.
                if let file = try partial.settle(since: beginning) { try calls.dataSync(file) }
            } catch {
                outcome.failures[index] = error.failure
            }
        }
    }

    private func seal(_ batch: [StoreJob], _ outcome: inout BatchOutcome) {
        var orders: [SealOrder] = []
        var indices: [Int] = []
        for (index, job) in batch.enumerated() {
            guard case .seal(let order, _) = job else { continue }
            orders.append(order)
            indices.append(index)
        }
        guard !orders.isEmpty else { return }
        let seals = SealBatch(orders, root: root, partials: partials, calls: calls)
        seals.run()
        for (index, seal) in zip(indices, seals.seals) {
            outcome.seals[index] = seal
            outcome.failures[index] = seal.failure
        }
    }

    /// What a job changes in the state.
    private func change(
        _ job: StoreJob, _ index: Int, _ outcome: inout BatchOutcome
    ) -> [StateChange] {
        switch job {
        case .checkpoint(let partial, var stored, let beginning, _):
            // The name is final only since the file exists. A file begun anew has nothing of what was to be claimed.
            guard let name = partial.name(since: beginning) else { return [] }
            stored.file = name
            if let old = known(partial.path, outcome), old.file != stored.file { outcome.unused.append(old.file) }
            outcome.partials[partial.path] = .some(stored)
            return [.storePartial(partial.path, stored)]
        case .seal(let order, _):
            guard let seal = outcome.seals[index], let file = seal.file else { return [] }
            var record = order.record
            record.size = file.size
            record.modified = file.modified
            let stored = StateChange.storeFile(order.path, record, sums: seal.sums)
            if seal.keepsPartial { outcome.unused.append(order.partial.name) }
            guard let old = known(order.path, outcome) else { return [stored] }
            outcome.partials[order.path] = .some(nil)
            // Another one than this, or it has its final name by now.
            if old.file != order.partial.name { outcome.unused.append(old.file) }
            return [stored, .dropPartial(order.path)]
        case .drop(let path):
            if let old = known(path, outcome) { outcome.unused.append(old.file) }
            outcome.partials[path] = .some(nil)
            return [.dropPartial(path)]
        case .giveUp(let path, let file, let name):
            if file >= 0 { calls.close(file) }
            outcome.unused.append(name)
            guard known(path, outcome)?.file == name else { return [] }
            outcome.partials[path] = .some(nil)
            return [.dropPartialFile(path, name: name)]
        case .recordRun(let run, _): return [.storeRun(run)]
        case .takeOver, .remove, .wait, .close: return []
        }
    }

    /// What a failed job changes in the state: a file that was renamed is no partial file any more, whatever failed
    /// after that.
    private func forget(_ job: StoreJob, _ index: Int, _ outcome: inout BatchOutcome) -> [StateChange] {
        guard case .seal(let order, _) = job, outcome.seals[index]?.keepsPartial == false,
            known(order.path, outcome)?.file == order.partial.name
        else { return [] }
        outcome.partials[order.path] = .some(nil)
        return [.dropPartial(order.path)]
    }

    /// The record of a partial file as the changes so far leave it.
    private func known(_ path: LocalPath, _ outcome: BatchOutcome) -> StoredPartial? {
        if let changed = outcome.partials[path] { return changed }
        return records.withLock { $0[path] }
    }

    private func resume(_ job: StoreJob, _ index: Int, _ outcome: BatchOutcome) {
        let failure = outcome.failures[index]
        switch job {
        case .checkpoint(_, _, _, let continuation), .recordRun(_, let continuation):
            continuation.resume(returning: failure)
        case .seal(_, let continuation):
            if let file = outcome.seals[index]?.file, failure == nil {
                continuation.resume(returning: .success(file))
            } else {
                let reason = failure ?? SystemError(EIO).failure
                let isNamed = outcome.seals[index]?.isNamed == true
                continuation.resume(returning: .failure(isNamed ? reason.afterNaming : reason))
            }
        default: break
        }
    }
}

extension Failure {
    /// The same for a file that has taken its name: nothing is left to be tried again.
    fileprivate var afterNaming: Failure {
        Failure(code, "\(message); the new file has its name, but is not recorded", endsRun: endsRun)
    }
}
