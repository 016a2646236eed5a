// What sources name, as one manifest: the reading half of a sync. Nothing is compared and no file is fetched.

import MirrorCore
import MirrorSources
import MirrorTransport
import MirrorURL

/// Lists sources.
///
///     let list = SourceList(SyncOptions(sources: ["https://example.org/pub/"]))
///     let outcome = try await list.run { print($0, terminator: "") }
public struct SourceList: Sendable {
    /// What was listed.
    public struct Outcome: Sendable {
        /// Entries that were written.
        public var entries = 0
        /// What was passed over, could not be read or cannot be written.
        public var warnings: [SourceFault] = []
        /// Whether the sources name more than what was written.
        public var isPartial = false
    }

    private let options: SyncOptions

    /// - Parameter options: those of a sync that have to do with sources and connections.
    public init(_ options: SyncOptions) { self.options = options }

    /// - Parameter sink: gets the lines of one entry at a time.
    /// - Throws: what is wrong with the sources.
    public func run(_ sink: @escaping @Sendable (String) -> Void) async throws(SyncError) -> Outcome {
        let transport: Transport
        do {
            transport = try Transport.start(options.transport)
        } catch {
            throw .badUsage(error.message)
        }
        let task = Task(executorPreference: transport.loop) { await list(transport, sink) }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        await transport.end()
        return try result.get()
    }

    private func list(
        _ transport: Transport, _ sink: @Sendable (String) -> Void
    ) async -> Result<Outcome, SyncError> {
        let courier = Courier(
            transport: transport, clock: .system, connectionsPerHost: options.transport.connectionsPerHost,
            patience: options.retryMaxTime)
        let prober = Prober(courier: courier, clock: .system, policy: options.retryPolicy)
        let loader = SourceLoader(
            options: options,
            fetcher: DocumentFetcher(courier: courier, clock: .system, policy: options.retryPolicy), prober: prober)
        let result: Result<Outcome, SyncError>
        do throws(SyncError) {
            result = .success(try write(try await loader.load(), loader.names, sink))
        } catch {
            result = .failure(Task.isCancelled ? .interrupted : error)
        }
        await courier.end()
        return result
    }

    /// Writes each file once, however many pages name it.
    private func write(
        _ sources: LoadedSources, _ names: [String], _ sink: (String) -> Void
    ) throws(SyncError) -> Outcome {
        var outcome = Outcome(warnings: sources.warnings, isPartial: sources.gap != nil)
        let entries = sources.entries.filter(isWanted)
        let check = TargetCheck(of: entries)
        var passedOver = Set(check.repeats)
        for conflict in try conflicts(check, names) {
            guard passedOver.insert(conflict.loser).inserted else { continue }
            outcome.warnings.append(SourceFault(conflict, names: names))
            outcome.isPartial = true
        }
        for (index, entry) in entries.enumerated() where !passedOver.contains(index) {
            do throws(ManifestWriter.Problem) {
                sink(try ManifestWriter.lines(of: entry))
                outcome.entries += 1
            } catch {
                let name = entry.path?.text ?? entry.options?.refusedName ?? ""
                let shown = name.isEmpty ? Redaction.text(of: entry.address) : name
                outcome.warnings.append(
                    SourceFault(entry.place, column: 0, message: "«\(shown)»: \(error.message)", names: names))
                outcome.isPartial = true
            }
        }
        return outcome
    }

    /// Conflicts that cost an entry. As with a sync, those that somebody wrote cost the run, and names that servers
    /// suggest decide later.
    private func conflicts(_ check: TargetCheck, _ names: [String]) throws(SyncError) -> [TargetConflict] {
        guard !options.prefersSuggestedNames else { return [] }
        let written = check.conflicts.filter { !$0.isOfIndex }
        guard written.isEmpty else { throw .badSource(written.map { SourceFault($0, names: names) }) }
        return check.conflicts
    }

    private func isWanted(_ entry: Entry) -> Bool {
        let selection = options.selection
        if let path = entry.path, !selection.wants(path: path.text) || !selection.takes(path: path.text) {
            return false
        }
        return selection.wants(size: entry.listed.size, modified: entry.listed.modified)
    }
}
