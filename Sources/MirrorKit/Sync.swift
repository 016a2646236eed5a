// The public door: one sync from its options to its report. The stages, in order: read the sources, take the lock,
// make the plan, check the space, carry the plan out, report.

import MirrorCore
import MirrorStore
import MirrorThreads
import MirrorTransport
import MirrorURL

/// Brings a directory in line with sources.
///
///     let sync = Sync(SyncOptions(sources: ["manifest.txt"]))
///     let report = try await sync.run()
public final class Sync: Sendable {
    private let options: SyncOptions
    private let clock: RunClock
    private let calls: SystemCalls
    private let counters = ProgressCounters()
    private let control = Locked(Control())
    private let eventStream: AsyncStream<SyncEvent>
    private let eventSink: AsyncStream<SyncEvent>.Continuation

    private struct Control {
        var run: Task<Report, any Error>?
        var transport: Transport?
        var isCancelled = false
        var isPaused = false
        var wantsEvents = false
        var wantsFiles = false
    }

    /// - Parameter options: what to do.
    public convenience init(_ options: SyncOptions) { self.init(options, clock: .system) }

    package init(_ options: SyncOptions, clock: RunClock, calls: SystemCalls = SystemCalls()) {
        self.options = DescriptorBudget.current.fitting(options)
        self.clock = clock
        self.calls = calls
        (eventStream, eventSink) = AsyncStream.makeStream()
    }

    /// What happens, as it happens. To be asked for before `run()`; ends with the run.
    /// - Parameter includingFiles: whether each file's beginning and end are told, which costs a little for each.
    public func events(includingFiles: Bool = true) -> AsyncStream<SyncEvent> {
        control.withLock {
            $0.wantsEvents = true
            $0.wantsFiles = includingFiles
        }
        return eventStream
    }

    /// How far the run is.
    public var progress: Progress { counters.current }

    /// Ends the run in good order: what is needed to resume is kept, the report is written.
    public func cancel() {
        control.withLock { control in
            control.isCancelled = true
            control.run?.cancel()
        }
    }

    /// Stops reading from all connections; they stand still when this returns. Servers that do not wait so long are
    /// asked again after `resume()`.
    public func pause() async { await setPaused(true) }

    /// Goes on after `pause()`.
    public func resume() async { await setPaused(false) }

    private func setPaused(_ isPaused: Bool) async {
        let transport = control.withLock { control in
            control.isPaused = isPaused
            return control.transport
        }
        guard let transport else { return }
        await Task(executorPreference: transport.loop) { await transport.setPaused(isPaused) }.value
    }

    /// Runs the sync. To be called once.
    /// - Returns: the report, which also says how the run ended.
    /// - Throws: what kept the run from beginning.
    public func run() async throws(SyncError) -> Report {
        defer { eventSink.finish() }
        for file in options.reportFiles where ReportForms.form(forFile: file) == nil {
            throw .badUsage("a report named «\(file)» cannot be written: .json and .txt are the forms there are")
        }
        if let problem = options.backupProblem { throw .badUsage(problem) }
        let transport = try await startTransport()
        // The whole run is at home on the loop's thread.
        let task = Task(executorPreference: transport.loop) { try await self.perform(transport) }
        let isCancelled = control.withLock { control in
            control.run = task
            return control.isCancelled
        }
        if isCancelled { task.cancel() }
        let timer = deadline()
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        timer?.cancel()
        control.withLock { $0.transport = nil }
        await transport.end()
        switch result {
        case .success(let report): return report
        case .failure(let error): throw Self.cause(of: error, isCancelled: task.isCancelled)
        }
    }

    /// A source that was not read to its end and a lock that was not waited for are no faults of theirs.
    private static func cause(of error: any Error, isCancelled: Bool) -> SyncError {
        switch error as? SyncError {
        case .badSource where isCancelled, .locked where isCancelled: .interrupted
        case let error?: error
        case nil: .unusableDirectory(Failure(.io, "\(error)"))
        }
    }

    private func startTransport() async throws(SyncError) -> Transport {
        let transport: Transport
        do {
            transport = try Transport.start(options.transport)
        } catch {
            throw .badUsage(error.message)
        }
        let isPaused = control.withLock { control in
            control.transport = transport
            return control.isPaused
        }
        if isPaused { await transport.setPaused(true) }
        return transport
    }

    private func perform(_ transport: Transport) async throws(SyncError) -> Report {
        let courier = Courier(
            transport: transport, clock: clock, connectionsPerHost: options.transport.connectionsPerHost,
            patience: options.retryMaxTime)
        let result: Result<Report, SyncError>
        do throws(SyncError) {
            result = .success(try await perform(courier))
        } catch {
            result = .failure(error)
        }
        await courier.end()
        return try result.get()
    }

    private func perform(_ courier: Courier) async throws(SyncError) -> Report {
        let prober = Prober(courier: courier, clock: clock, policy: options.retryPolicy)
        let loader = SourceLoader(
            options: options,
            fetcher: DocumentFetcher(courier: courier, clock: clock, policy: options.retryPolicy), prober: prober)
        var sources = try await load(loader)
        let store: Store
        var isLate = false
        do throws(SyncError) {
            store = try await openStore(waiting: .zero)
        } catch {
            guard case .locked = error, !options.isDryRun, options.lockWait > .zero else { throw error }
            store = try await openStore(waiting: options.lockWait)
            isLate = true
        }
        let result: Result<Report, SyncError>
        do throws(SyncError) {
            // The run that was waited for may have been long: a plan from before it would undo what it did.
            if isLate { sources = try await load(loader) }
            for warning in sources.warnings { emit(.warning(warning)) }
            result = .success(try await perform(sources, loader.names, store, courier, prober))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }

    private func load(_ loader: SourceLoader) async throws(SyncError) -> LoadedSources {
        let sources = try await loader.load()
        try checkNames(sources.entries, loader.names)
        return sources
    }

    /// What is wrong with the source is told before DIR is made. Names that servers choose are compared later.
    private func checkNames(_ entries: [Entry], _ sources: [String]) throws(SyncError) {
        guard !options.prefersSuggestedNames else { return }
        let wanted = entries.filter { $0.path.map { options.selection.wants(path: $0.text) } ?? true }
        let conflicts = TargetCheck(of: wanted).conflicts.filter { !$0.isOfIndex }
        guard conflicts.isEmpty else { throw .badSource(conflicts.map { SourceFault($0, names: sources) }) }
    }

    private func perform(
        _ loaded: LoadedSources, _ sources: [String], _ store: Store, _ courier: Courier, _ prober: Prober
    ) async throws(SyncError) -> Report {
        let started = (date: clock.date(), elapsed: clock.elapsed())
        var run = RunReport(
            id: RunID.make(), started: started.date, finished: started.date, isDryRun: options.isDryRun,
            sources: sources, directory: options.directory)
        run.sourceRequests = loaded.requests
        let maker = PlanMaker(
            options: options, store: store, courier: courier, prober: prober, progress: counters)
        var report = Report(run: run, files: [])
        let plan: Plan?
        do throws(PlanProblem) {
            plan = try await maker.make(loaded)
        } catch {
            throw .badSource(error.conflicts.map { SourceFault($0, names: sources) })
        }
        if let plan {
            emit(.planned(files: plan.files.count, bytesToFetch: plan.knownBytesToFetch))
            report = await carryOut(plan, run, store, courier)
        } else {
            report.files = loaded.entries.map(FileReport.init(undecided:))
        }
        run.isInterrupted = report.failure == nil && report.files.contains { $0.status == .interrupted }
        run.exitCode = .of(report.files, isInterrupted: run.isInterrupted, failure: report.failure)
        run.finished = clock.date()
        run.seconds = (clock.elapsed() - started.elapsed) / .seconds(1)
        report.run = run
        counters.update { $0.stage = .finished }
        return await ReportWriter(options: options, store: store).write(report)
    }

    private func openStore(waiting time: Duration) async throws(SyncError) -> Store {
        let shard = options.selection.shard
        do throws(StoreProblem) {
            return options.isDryRun
                ? try Store.inspect(directory: options.directory, shard: shard, calls: calls)
                : try await Store.open(
                    directory: options.directory, shard: shard, waitForLock: time, calls: calls)
        } catch {
            switch error {
            case .locked: throw .locked
            case .unusable(let failure): throw .unusableDirectory(failure)
            }
        }
    }

    /// Cancels the run when its time is over.
    private func deadline() -> Task<Void, Never>? {
        guard let maxTime = options.maxTime else { return nil }
        return Task {
            await clock.sleep(maxTime)
            if !Task.isCancelled { cancel() }
        }
    }

    private func carryOut(_ plan: Plan, _ run: RunReport, _ store: Store, _ courier: Courier) async -> Report {
        let space = SpaceBudget(store: store, minimumFree: options.minimumFree)
        var outcomes: [Outcome?] = Array(repeating: nil, count: plan.files.count)
        var failure = spaceFailure(plan, space)
        if !options.isDryRun, failure == nil {
            counters.update {
                $0.stage = .transferring
                $0.bytesToFetch = plan.knownBytesToFetch
            }
            let context = TransferContext(
                courier: courier, store: store, space: space, clock: clock, progress: counters)
            let runner = PlanRunner(
                plan, options: options, context: context,
                onStart: { [self] index in
                    guard control.withLock({ $0.wantsFiles }) else { return }
                    emit(.started(path: plan.files[index].path?.text ?? ""))
                },
                onEnd: { [self] index, outcome in
                    guard control.withLock({ $0.wantsFiles }) else { return }
                    emit(.finished(FileReport(plan.files[index], outcome, isDryRun: false)))
                })
            await runner.carryOut()
            (outcomes, failure) = await (runner.outcomes, runner.failure)
        }
        var files = zip(plan.files, outcomes).map { FileReport($0, $1, isDryRun: options.isDryRun) }
        let hasFailed = failure != nil || files.contains { $0.status == .failed || $0.status == .interrupted }
        files += await RemovalRunner(options: options, store: store).carryOut(
            plan.removals, holdsBack: hasFailed ? "no longer named; kept, because not all files are in line" : nil)
        if let refusal = plan.removals.refusal { failure = failure ?? Failure(.conflict, refusal) }
        return Report(run: run, files: files, failure: failure)
    }

    private func spaceFailure(_ plan: Plan, _ space: SpaceBudget) -> Failure? {
        do throws(Failure) {
            try space.check(plan.knownBytesToFetch)
            return nil
        } catch {
            return error
        }
    }

    private func emit(_ event: SyncEvent) {
        if control.withLock({ $0.wantsEvents }) { eventSink.yield(event) }
    }
}
