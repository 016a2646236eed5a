// Which recorded files the sources no longer name, and which of them may go. Where an index could have missed a file,
// the server is asked for it first: a page that leaves something out must not cost a file.

import MirrorCore
import MirrorStore
import MirrorTransport
import MirrorURL

/// Plans what `--delete` removes.
struct RemovalPlanner {
    let options: SyncOptions
    let store: Store
    let prober: Prober
    let courier: Courier

    /// - Parameters:
    ///   - named: every path that the sources name, wanted or not.
    ///   - sources: what is known of the sources.
    func plan(named: Set<LocalPath>, _ sources: LoadedSources) async -> RemovalPlan {
        guard let policy = options.removal else { return RemovalPlan() }
        guard let records = store.fileRecords() else {
            return RemovalPlan(refusal: "nothing is removed, because the state cannot be read")
        }
        var files = candidates(among: records, named, unread: Set(sources.unread))
        if files.isEmpty { return RemovalPlan() }
        if let refusal = policy.refusal(of: sources.state) { return RemovalPlan(refusal: refusal) }
        // What there is to lose is known first, for the limit is about what would go and not about what is asked for.
        for index in files.indices { files[index].fate = fate(of: files[index]) }
        await confirm(&files, sources)
        let count = files.count { $0.fate == .remove }
        guard let refusal = policy.refusal(of: count, recorded: records.count) else {
            return RemovalPlan(files: files)
        }
        for index in files.indices where files[index].fate == .remove { files[index].fate = .keep(.tooMany) }
        return RemovalPlan(files: files, refusal: refusal)
    }

    /// Recorded files that the sources do not name, though they were read where these should be.
    private func candidates(
        among records: [LocalPath: FileRecord], _ named: Set<LocalPath>, unread: Set<Address>
    ) -> [PlannedRemoval] {
        let parser = URLParser()
        return records.filter { path, record in
            !named.contains(path) && options.selection.takes(path: path.text)
                && options.selection.wants(path: path.text) && !isBelow(unread, record, parser)
        }
        .sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
        .map { PlannedRemoval(path: $0, record: $1, fate: .remove) }
    }

    private func isBelow(_ folders: Set<Address>, _ record: FileRecord, _ parser: URLParser) -> Bool {
        guard !folders.isEmpty, var folder = (try? parser.parse(record.url))?.folder else { return false }
        while !folders.contains(folder) {
            let parent = folder.parentFolder
            if parent == folder { return false }
            folder = parent
        }
        return true
    }

    private func fate(of file: PlannedRemoval) -> PlannedRemoval.Fate {
        switch store.outlook(on: file.path, file.record) {
        case .success(.removed), .success(.isBack): .remove
        case .success(.wasGone): .forget(isGone: true)
        case .success(.isForeign): .forget(isGone: false)
        case .failure(let failure): .fail(failure)
        }
    }

    /// Asks for all that would go where a listing takes part in the run: it may have left something out, and what another
    /// source brought is not gone because this one never had it. A line that was taken out of a manifest was taken out
    /// by somebody.
    private func confirm(_ files: inout [PlannedRemoval], _ sources: LoadedSources) async {
        guard !sources.hasManifest || !sources.scopes.isEmpty else { return }
        let parser = URLParser()
        var questions: [(index: Int, entry: Entry)] = []
        for (index, file) in files.enumerated() where file.fate == .remove {
            guard let address = try? parser.parse(file.record.url) else {
                files[index].fate = .keep("no longer named, but its URL cannot be asked for")
                continue
            }
            if Redaction.hidesSomething(in: file.record.url) {
                files[index].fate = .keep("no longer named, but its URL had a secret and cannot be asked for")
            } else {
                questions.append((index, Entry(address: address, path: file.path)))
            }
        }
        guard !questions.isEmpty else { return }
        let answers = Answers()
        let asked = questions
        await Dispatcher(courier: courier, jobs: max(options.jobs, options.transport.connectionsPerHost)).run(
            asked.enumerated().map { ($0, $1.entry.address.origin) }
        ) { place, _ in
            let question = asked[place]
            let refusesHTML = MediaType.refusesHTML(name: question.entry.path?.name ?? "", earlier: nil)
            let facts = await prober.facts(
                of: Prober.Question(entry: question.entry, refusesHTML: refusesHTML, record: nil))
            answers.add(facts ?? RemoteFacts(failure: .notAsked), question.index)
        }
        for (index, facts) in answers.all {
            files[index].fate = .of(facts)
            files[index].requests = facts.requests
        }
    }
}

extension PlannedRemoval.Fate {
    /// What an answer about a file means that an index no longer names.
    static func of(_ facts: RemoteFacts) -> Self {
        if let failure = facts.failure ?? facts.refusal {
            // A web page in its place is what login pages and errors look like: no word of the file.
            return failure.code == .notFound ? .remove : .fail(failure)
        }
        return facts.isFolder ? .remove : .keep("no longer named, but the server still has it")
    }
}

extension String {
    fileprivate static let tooMany = "no longer named; kept, because more would go than --max-delete allows"
}

extension Failure {
    fileprivate static let notAsked = Failure(.io, "the run ended before the server was asked")
}
