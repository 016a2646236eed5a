// From entries to a plan: names, local facts, questions to servers, decisions. Nothing is fetched and nothing under DIR
// is changed here, so that a dry run and a real one pass through the same code.

import MirrorCore
import MirrorStore
import MirrorURL

/// Makes the plan of a run.
struct PlanMaker {
    let options: SyncOptions
    let store: Store
    let courier: Courier
    let prober: Prober
    let progress: ProgressCounters

    /// One entry on its way into the plan.
    private struct Draft {
        var entry: Entry
        var local = LocalFacts()
        var remote: RemoteFacts?

        var question: Prober.Question {
            let name = entry.path?.name ?? entry.address.lastSegment
            let record = local.validRecord
            return Prober.Question(
                entry: entry, refusesHTML: MediaType.refusesHTML(name: name, earlier: record?.mediaType),
                record: record)
        }
    }

    /// - Parameter facts: what servers said of entries while the sources were read, by their place.
    /// - Returns: nil when the task was cancelled.
    /// - Throws: conflicts between entries, as problems of the source.
    func make(_ sources: LoadedSources) async throws(PlanProblem) -> Plan? {
        var drafts = sources.entries.enumerated().map { Draft(entry: $1, remote: sources.facts[$0]) }
        for index in drafts.indices { drafts[index].local.failure = drafts[index].entry.options?.refusal }
        try await nameByServer(&drafts)
        let named = options.removal == nil ? [] : Set(drafts.compactMap(\.entry.path))
        drafts = drafts.filter { isWanted($0.entry) }
        try checkTargets(&drafts)
        refuseSameFiles(&drafts)
        progress.update {
            $0.stage = .probing
            $0.files = drafts.count
        }
        for index in drafts.indices { await survey(&drafts[index]) }
        let asked = drafts.indices.filter { needsProbe(drafts[$0]) }
        await probe(&drafts, asked)
        if Task.isCancelled { return nil }
        if options.selection.needsFacts { drafts = drafts.filter { hasWantedFacts($0) } }
        let removals = await RemovalPlanner(options: options, store: store, prober: prober, courier: courier).plan(
            named: named, sources)
        if Task.isCancelled { return nil }
        let planner = Planner(policy: options.policy)
        return Plan(
            files: drafts.map { draft in
                PlannedFile(
                    entry: draft.entry, path: draft.entry.path,
                    decision: planner.decide(
                        local: draft.local, remote: draft.remote, listed: draft.entry.listed,
                        options: draft.entry.options),
                    local: draft.local.file, record: draft.local.validRecord, remote: draft.remote)
            }, removals: removals)
    }

    /// What has no path is there to be told.
    private func isWanted(_ entry: Entry) -> Bool {
        guard let path = entry.path?.text else { return true }
        return options.selection.wants(path: path) && options.selection.takes(path: path)
    }

    private func hasWantedFacts(_ draft: Draft) -> Bool {
        draft.local.failure != nil
            || options.selection.wants(
                size: draft.remote?.size ?? draft.entry.listed.size,
                modified: draft.remote?.validators.lastModifiedDate?.seconds ?? draft.entry.listed.modified)
    }

    /// Whether a filter asks for what the index did not say.
    private func needsFacts(_ draft: Draft) -> Bool {
        let selection = options.selection, listed = draft.entry.listed
        guard selection.needsFacts, draft.local.failure == nil, draft.entry.path != nil else { return false }
        let needsSize = selection.minimumSize != nil || selection.maximumSize != nil
        return needsSize && listed.size == nil || selection.newerThan != nil && listed.modified == nil
    }

    /// Entries without a name, and all of them where the user wants it, are named by the server, before it is looked
    /// at what is there.
    private func nameByServer(_ drafts: inout [Draft]) async throws(PlanProblem) {
        let unnamed = drafts.indices.filter { index in
            let entry = drafts[index].entry
            guard drafts[index].local.failure == nil else { return false }
            return entry.path == nil || options.prefersSuggestedNames && entry.options?.namesPath != true
        }
        guard !unnamed.isEmpty else { return }
        await probe(&drafts, unnamed)
        for index in unnamed {
            do throws(Failure) {
                drafts[index].entry.path = try name(drafts[index])
            } catch {
                drafts[index].local.failure = error
            }
        }
    }

    private func name(_ draft: Draft) throws(Failure) -> LocalPath {
        let address = draft.entry.address
        let folder = draft.entry.options?.folder
        if let suggested = draft.remote?.suggestedName {
            return try LocalName.path(suggested: suggested, for: address, layout: options.layout, below: folder)
        }
        if let path = draft.entry.path { return path }
        // Two files that cannot be named must not be a conflict of the same name.
        if let failure = draft.remote?.failure ?? draft.remote?.refusal { throw failure }
        // What every web server calls the page that has no name.
        return try LocalName.path(suggested: "index.html", for: address, layout: options.layout, below: folder)
    }

    private func checkTargets(_ drafts: inout [Draft]) throws(PlanProblem) {
        let check = TargetCheck(of: drafts.map(\.entry))
        let written = check.conflicts.filter { !$0.isOfIndex }
        guard written.isEmpty else { throw PlanProblem(conflicts: written) }
        for conflict in check.conflicts { drafts[conflict.loser].local.failure = .conflict(conflict) }
        drafts = check.withoutRepeats(drafts)
    }

    /// Two names for one file: the entry that comes first has it.
    private func refuseSameFiles(_ drafts: inout [Draft]) {
        let folding = store.folding(
            hasAccents: drafts.contains { draft in draft.entry.path?.text.utf8.contains { $0 >= 0x80 } ?? false })
        guard folding != .none else { return }
        let paths = drafts.map(\.entry.path)
        for clash in folding.clashes(paths) {
            guard let first = paths[clash.first] else { continue }
            drafts[clash.index].local.failure = .sameFile(as: first)
        }
    }

    private func survey(_ draft: inout Draft) async {
        guard draft.local.failure == nil, let path = draft.entry.path else { return }
        draft.local = store.localFacts(for: path)
        forgetOtherURLs(&draft)
        if draft.local.partial != nil, await !store.holdsPartial(of: path, provesGaps: options.checksOverlap) {
            draft.local.partial = nil
        }
        guard options.comparesChecksums, draft.local.file != nil else { return }
        let declared = draft.entry.options?.checksum ?? draft.local.validRecord?.checksum
        guard let declared else { return }
        switch await store.checksum(of: path, declared.algorithm) {
        case .success(let checksum): draft.local.checksum = checksum
        case .failure(let failure): draft.local.failure = failure
        }
    }

    /// What is known of a file from another URL says nothing of this one.
    private func forgetOtherURLs(_ draft: inout Draft) {
        guard draft.local.record != nil || draft.local.partial != nil else { return }
        let urls = draft.entry.addresses.map { Redaction.text(of: $0) }
        func isOther(_ url: String) -> Bool { !urls.contains { $0.hasSameBytes(as: url) } }
        if let record = draft.local.record, isOther(record.url) { draft.local.record = nil }
        if let partial = draft.local.partial, isOther(partial.url) { draft.local.partial = nil }
    }

    /// The validators of one server say nothing of another's copy: the file is then compared as one without a record.
    private func forgetRecord(_ draft: inout Draft, unlessOf url: String?) {
        guard let url, let record = draft.local.record, !record.url.hasSameBytes(as: url) else { return }
        draft.local.record = nil
    }

    private func needsProbe(_ draft: Draft) -> Bool {
        draft.remote == nil
            && (needsFacts(draft)
                || options.policy.needsProbe(
                    local: draft.local, declared: draft.entry.options?.checksum, listed: draft.entry.listed,
                    isDryRun: options.isDryRun))
    }

    private func probe(_ drafts: inout [Draft], _ indices: [Int]) async {
        guard !indices.isEmpty else { return }
        let answers = Answers()
        let questions = drafts
        await Dispatcher(courier: courier, jobs: max(options.jobs, options.transport.connectionsPerHost)).run(
            indices.map { ($0, questions[$0].entry.address.origin) }
        ) { index, _ in
            guard let facts = await prober.facts(of: questions[index].question) else { return }
            answers.add(facts, index)
        }
        for (index, facts) in answers.all {
            drafts[index].remote = facts
            forgetRecord(&drafts[index], unlessOf: facts.url)
        }
    }
}

extension Failure {
    fileprivate static func conflict(_ conflict: TargetConflict) -> Failure {
        switch conflict.kind {
        case .twoURLs: Failure(.conflict, "another URL has the same path")
        case .twoPromises: Failure(.conflict, "the index says two things of the same file")
        case .fileAndFolder: Failure(.conflict, "the path is a file for one URL and a folder for another")
        }
    }
}

/// Entries of a source that contradict each other.
struct PlanProblem: Error {
    let conflicts: [TargetConflict]
}
