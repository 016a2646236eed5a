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

    /// - Parameter sink: gets the lines of some entries at a time.
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
        let entries = chosen(of: sources.entries)
        let check = TargetCheck(of: entries)
        var passedOver = Set(check.repeats)
        for conflict in try conflicts(check, names) {
            guard passedOver.insert(conflict.loser).inserted else { continue }
            outcome.warnings.append(SourceFault(conflict, names: names))
            outcome.isPartial = true
        }
        var text: [UInt8] = []
        // By a pointer, for a copy of an entry counts the owners of all its parts.
        entries.withUnsafeBufferPointer { entries in
            for index in entries.indices where !passedOver.contains(index) {
                do throws(ManifestWriter.Problem) {
                    try ManifestWriter.append(entries[index], to: &text)
                    outcome.entries += 1
                } catch {
                    outcome.warnings.append(warning(entries[index], error, names))
                    outcome.isPartial = true
                }
                if text.count >= Self.blockSize { Self.flush(&text, sink) }
            }
        }
        Self.flush(&text, sink)
        return outcome
    }

    private static func flush(_ text: inout [UInt8], _ sink: (String) -> Void) {
        if !text.isEmpty { sink(String(decoding: text, as: UTF8.self)) }
        text.removeAll(keepingCapacity: true)
    }

    /// So many bytes are handed over at once, and the lines of one entry more.
    private static let blockSize = 32 << 10

    private func warning(_ entry: Entry, _ problem: ManifestWriter.Problem, _ names: [String]) -> SourceFault {
        let name = entry.path?.text ?? entry.options?.refusedName ?? ""
        let shown = name.isEmpty ? Redaction.text(of: entry.address) : name
        return SourceFault(entry.place, column: 0, message: "«\(shown)»: \(problem.message)", names: names)
    }

    /// Conflicts that cost an entry. As with a sync, those that somebody wrote cost the run, and names that servers
    /// suggest decide later.
    private func conflicts(_ check: TargetCheck, _ names: [String]) throws(SyncError) -> [TargetConflict] {
        guard !options.prefersSuggestedNames else { return [] }
        let written = check.conflicts.filter { !$0.isOfIndex }
        guard written.isEmpty else { throw .badSource(written.map { SourceFault($0, names: names) }) }
        return check.conflicts
    }

    private func chosen(of entries: [Entry]) -> [Entry] {
        let selection = options.selection
        return selection == Selection() ? entries : entries.filter { isWanted($0, selection) }
    }

    private func isWanted(_ entry: Entry, _ selection: Selection) -> Bool {
        if let path = entry.path, !selection.wants(path: path.text) || !selection.takes(path: path.text) {
            return false
        }
        return selection.wants(size: entry.listed.size, modified: entry.listed.modified)
    }
}
