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
    ///   - scopes: the indexes among the sources.
    func plan(named: Set<LocalPath>, source: SourceState, scopes: [IndexScope]) async -> RemovalPlan {
        guard let policy = options.removal else { return RemovalPlan() }
        guard let records = store.fileRecords() else {
            return RemovalPlan(refusal: "nothing is removed, because the state cannot be read")
        }
        let candidates = records.keys.filter { !named.contains($0) && options.selection.takes(path: $0.text) }
            .filter { options.selection.wants(path: $0.text) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        switch policy.verdict(on: candidates, recorded: records.count, source: source) {
        case .refused(let why): return RemovalPlan(refusal: why)
        case .remove(let paths):
            var files = paths.compactMap { path in
                records[path].map { PlannedRemoval(path: path, record: $0, fate: .remove) }
            }
            await confirm(&files, scopes)
            return RemovalPlan(files: files)
        }
    }

    /// Asks for those that an index of this run should have named.
    private func confirm(_ files: inout [PlannedRemoval], _ scopes: [IndexScope]) async {
        let parser = URLParser()
        var questions: [(index: Int, entry: Entry)] = []
        for (index, file) in files.enumerated() {
            guard let address = try? parser.parse(file.record.url), scopes.contains(where: { $0.isAbove(address) })
            else { continue }
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

extension IndexScope {
    /// Whether the address lies below the index.
    func isAbove(_ address: Address) -> Bool {
        if case .below = position(of: address) { return true }
        return false
    }
}

extension Failure {
    fileprivate static let notAsked = Failure(.io, "the run ended before the server was asked")
}
