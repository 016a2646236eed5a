// Carries a plan out. Each file: transfer, then its place is free for another, then the seal.

import MirrorCore
import MirrorStore

/// Runs the transfers of a plan and keeps what became of them. Lives on the loop's thread.
actor PlanRunner {
    private let plan: Plan
    private let options: SyncOptions
    private let context: TransferContext
    private let onStart: @Sendable (Int) -> Void
    private let onEnd: @Sendable (Int, Outcome) -> Void
    private(set) var outcomes: [Outcome?]
    /// What ended the run as a whole.
    private(set) var failure: Failure?
    private var unsealed = 0
    private var run: Task<Void, Never>?

    /// Finished files that wait for their seal keep a descriptor each.
    private let largestBacklog = min(256, DescriptorBudget.current.share)

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.courier.unownedExecutor }

    /// - Parameters:
    ///   - onStart: told of the beginning of each transfer.
    ///   - onEnd: told of each file's end.
    init(
        _ plan: Plan, options: SyncOptions, context: TransferContext, onStart: @escaping @Sendable (Int) -> Void,
        onEnd: @escaping @Sendable (Int, Outcome) -> Void
    ) {
        self.plan = plan
        self.options = options
        self.context = context
        self.onStart = onStart
        self.onEnd = onEnd
        outcomes = Array(repeating: nil, count: plan.files.count)
    }

    /// Returns when every file has ended, or the run was cancelled and what ran is safe.
    func carryOut() async {
        var work: [(index: Int, origin: Origin)] = []
        let partials = context.store.partialRecords
        for (index, file) in plan.files.enumerated() {
            if let failure = file.decision.failure {
                end(index, Outcome(status: .failed, failure: failure))
            } else if file.decision.action == .skip {
                // The file is in line: what an earlier run left of it is of no use any more.
                if let path = file.path, partials[path] != nil { context.store.drop(path) }
                end(index, Outcome(status: .unchanged))
            } else {
                work.append((index, file.entry.address.origin))
            }
        }
        let late = work.filter { isLast(plan.files[$0.index]) }
        await carryOut(late.isEmpty ? work : work.filter { !isLast(plan.files[$0.index]) })
        guard !late.isEmpty else { return }
        let isHeldBack = outcomes.contains { $0?.status == .failed } || failure != nil
        if isHeldBack {
            for (index, _) in late { end(index, Outcome(status: .failed, failure: .heldBack)) }
        } else if !Task.isCancelled {
            await carryOut(late)
        }
    }

    /// Whether a file takes its name only when all others have theirs.
    private func isLast(_ file: PlannedFile) -> Bool {
        guard let path = file.path?.text else { return false }
        return options.lastPatterns.contains { $0.matches(path) }
    }

    private func carryOut(_ work: [(index: Int, origin: Origin)]) async {
        guard !work.isEmpty, !Task.isCancelled else { return }
        let dispatcher = Dispatcher(courier: context.courier, jobs: options.jobs)
        let run = Task(executorPreference: context.courier.loop) {
            await dispatcher.run(work) { index, place in await self.carryOut(index, place) }
        }
        self.run = run
        await withTaskCancellationHandler {
            await run.value
        } onCancel: {
            run.cancel()
        }
    }

    private func carryOut(_ index: Int, _ place: Place) async {
        let file = plan.files[index]
        guard let path = file.path else { return }
        let clock = context.clock
        let start = clock.elapsed()
        onStart(index)
        context.progress.update { $0.filesRunning += 1 }
        let transfer = FileTransfer(TransferPlan(file, path: path, options: options), context: context, place: place)
        let finish = await transfer.run()
        context.progress.update { $0.filesRunning -= 1 }
        var outcome = Outcome(status: .done, account: await transfer.account)
        switch finish {
        case .complete:
            unsealed += 1
            // Too many unsealed files: this one keeps its place until it is safe.
            if unsealed < largestBacklog { place.leave() }
            await seal(transfer, place, &outcome)
            unsealed -= 1
        case .unchanged: outcome.status = .unchanged
        case .cancelled: outcome.status = .interrupted
        case .failed(let failure): fail(&outcome, failure)
        }
        outcome.seconds = (clock.elapsed() - start) / .seconds(1)
        end(index, outcome)
    }

    private func seal(_ transfer: FileTransfer, _ place: Place, _ outcome: inout Outcome) async {
        guard let order = await transfer.sealOrder else {
            return fail(&outcome, Failure(.io, "nothing is there that could be given the name"))
        }
        outcome.validators = order.record.validators
        var patience = Patience(policy: options.retryPolicy, clock: context.clock)
        var result = await context.store.seal(order)
        while case .failure(let failure) = result, !Task.isCancelled, let delay = patience.delay(after: failure) {
            if failure.isShortage { place.lowerJobs() }
            await context.clock.sleep(delay)
            result = await context.store.seal(order)
        }
        switch result {
        case .success(let local):
            outcome.finalSize = local.size
            outcome.isVerified = order.record.checksum != nil
        case .failure(let failure):
            await transfer.keep()
            fail(&outcome, failure)
        }
    }

    private func fail(_ outcome: inout Outcome, _ failure: Failure) {
        outcome.status = .failed
        outcome.failure = failure
        guard failure.endsRun, self.failure == nil else { return }
        // It is so for every file: what runs is left so that it can be resumed.
        self.failure = failure
        run?.cancel()
    }

    private func end(_ index: Int, _ outcome: Outcome) {
        outcomes[index] = outcome
        context.progress.update {
            $0.filesDone += 1
            if outcome.status == .failed { $0.filesFailed += 1 }
        }
        onEnd(index, outcome)
    }
}

extension Failure {
    fileprivate static let heldBack = Failure(.conflict, "held back, because other files failed (--last)")
}
