// From the sources that a user names to the entries of a run. Where the bytes of a source come from is settled here: a
// file, standard input, a server; what they mean is for MirrorSources, and what lies below an index for the crawler.

import MirrorCore
import MirrorSources
import MirrorStore
import MirrorThreads
import MirrorTransport
import MirrorURL

/// What all sources of a run name.
struct LoadedSources: Sendable {
    var entries: [Entry] = []
    /// What servers said of entries while their index was read, by their place.
    var facts: [Int: RemoteFacts] = [:]
    var warnings: [SourceFault] = []
    /// Why what the sources name is not known to be all; nil where it is.
    var gap: String?
    /// The indexes among them.
    var scopes: [IndexScope] = []
    /// Folders of theirs that were not to be read.
    var unread: [Address] = []
    /// Whether one of them is a list that somebody wrote.
    var hasManifest = false
    /// Requests that it took to read them, but for those about files.
    var requests = 0

    /// What is known of the sources as a whole.
    var state: SourceState { SourceState(entries: entries.count, gap: gap) }
}

/// Reads all sources of a run.
struct SourceLoader {
    let options: SyncOptions
    let fetcher: DocumentFetcher
    let prober: Prober
    /// What cannot be read a second time, by the place of its source.
    private let readOnce = Locked<[Int: [UInt8]]>([:])

    init(options: SyncOptions, fetcher: DocumentFetcher, prober: Prober) {
        self.options = options
        self.fetcher = fetcher
        self.prober = prober
    }

    /// The sources as they may be shown.
    var names: [String] {
        options.sources.map { $0 == "-" ? "standard input" : Redaction.text(ofUnparsed: $0) }
    }

    /// All entries of all sources, in order. May be called again for what they name by then.
    func load() async throws(SyncError) -> LoadedSources {
        guard !options.sources.isEmpty else { throw .badUsage("no source is given") }
        let base = try baseAddress()
        var loaded = LoadedSources()
        // Half a report names half a mirror.
        if options.only != nil { loaded.gap = "only a part of the report is taken" }
        var problems: [SourceProblem] = []
        for (index, source) in options.sources.enumerated() {
            do throws(Failure) {
                let document = try await document(source, index, base)
                switch document.content {
                case .entries(let parsed):
                    loaded.hasManifest = true
                    problems += parsed.problems
                    loaded.warnings += parsed.warnings.map { fault($0.place, $0.column, $0.message) }
                    if problems.isEmpty { await add(parsed.entries, index, to: &loaded) }
                case .listing:
                    guard let root = document.root, let address = document.address else { throw .noBase }
                    let page = DocumentFetcher.Fetched(content: document.content, address: address)
                    let result = await crawler(index).read(root, into: nil, page: page)
                    if let failure = result.failure { throw failure }
                    add(result, index, to: &loaded)
                }
            } catch {
                problems.append(SourceProblem(place: SourcePlace(source: index), message: error.message))
            }
        }
        guard problems.isEmpty else { throw .badSource(faults(problems)) }
        loaded.requests = fetcher.requests.withLock { $0 }
        return loaded
    }

    func faults(_ problems: [SourceProblem]) -> [SourceFault] {
        problems.map { fault($0.place, $0.column, $0.message) }
    }

    private func fault(_ place: SourcePlace, _ column: Int, _ message: String) -> SourceFault {
        SourceFault(place, column: column, message: message, names: names)
    }

    private func baseAddress() throws(SyncError) -> Address? {
        guard let base = options.base else { return nil }
        do {
            return try URLParser().parse(base)
        } catch {
            throw .badUsage("--base: \(error.message)")
        }
    }

    // MARK: Entries

    /// Takes entries over; an index among them is replaced by what it names.
    private func add(_ entries: [Entry], _ source: Int, to loaded: inout LoadedSources) async {
        guard entries.contains(where: { $0.address.isIndex }) else {
            loaded.entries = loaded.entries.isEmpty ? entries : loaded.entries + entries
            return
        }
        for entry in entries {
            if entry.address.isIndex {
                add(await crawler(source).read(entry.address, into: entry.options?.folder), source, to: &loaded)
            } else {
                loaded.entries.append(entry)
            }
        }
    }

    private func add(_ result: Crawler.Result, _ source: Int, to loaded: inout LoadedSources) {
        for (place, facts) in result.facts { loaded.facts[loaded.entries.count + place] = facts }
        if loaded.entries.isEmpty {
            loaded.entries = result.entries
        } else {
            loaded.entries += result.entries
        }
        loaded.gap = loaded.gap ?? result.gap
        loaded.scopes += result.scopes
        loaded.unread += result.unread
        loaded.warnings += result.warnings.map { fault(SourcePlace(source: source), 0, $0) }
    }

    private func crawler(_ source: Int) -> Crawler {
        Crawler(options: options, fetcher: fetcher, prober: prober, source: source)
    }

    // MARK: Documents

    /// A source that was read.
    private struct Document {
        let content: SourceContent
        /// The URL that it was asked for by; nil where nobody said one.
        let root: Address?
        /// What its links are resolved against: where it was after all redirects.
        let address: Address?
    }

    private func document(_ source: String, _ index: Int, _ base: Address?) async throws(Failure) -> Document {
        guard let address = try address(source) else {
            let form = options.form == .dav ? .xml : options.form
            let document = makeDocument(index, base, nil, form)
            try read(source, index) { document.read($0) }
            return Document(content: document.finish(isWhole: true), root: base, address: base)
        }
        let fetched = try await fetcher.fetch(
            address, form: options.form, mayBeDAV: address.isHTTP && address.isIndex && options.form == nil
        ) { address, head, form in
            makeDocument(index, base ?? address, head, form)
        }
        return Document(content: fetched.content, root: base ?? address, address: base ?? fetched.address)
    }

    /// Reads a local source. What cannot be read again is kept where that may come to pass.
    /// - Parameter sink: gets the next bytes; false ends the reading.
    private func read(
        _ source: String, _ index: Int, to sink: (UnsafeRawBufferPointer) -> Bool
    ) throws(Failure) {
        if let bytes = readOnce.withLock({ $0.removeValue(forKey: index) }) {
            _ = bytes.withUnsafeBytes(sink)
        } else if options.lockWait > .zero, source == "-" || !SourceFile.isRepeatable(source) {
            var kept: [UInt8] = []
            try readFile(source) {
                kept.append(contentsOf: $0)
                return true
            }
            readOnce.withLock { $0[index] = kept }
            _ = kept.withUnsafeBytes(sink)
        } else {
            try readFile(source, to: sink)
        }
    }

    private func readFile(_ source: String, to sink: (UnsafeRawBufferPointer) -> Bool) throws(Failure) {
        if source == "-" {
            try SourceFile.readStandardInput(isCancelled: { Task.isCancelled }, to: sink)
        } else {
            try SourceFile.read(source, isCancelled: { Task.isCancelled }, to: sink)
        }
    }

    private func makeDocument(
        _ index: Int, _ address: Address?, _ head: ResponseHead?, _ form: SourceForm?
    ) -> SourceDocument {
        SourceDocument(
            .source(options.only), form: form,
            context: DocumentContext(
                address: address, charset: head?.charset, mediaType: head?.mediaType, source: index,
                layout: options.layout))
    }

    /// Nil for a local path.
    private func address(_ source: String) throws(Failure) -> Address? {
        guard source.utf8.contains(UInt8(ascii: ":")), let scheme = source.split(separator: ":").first,
            source.dropFirst(scheme.count).hasPrefix("://")
        else { return nil }
        do {
            return try URLParser().parse(source)
        } catch {
            throw Failure(.invalidSource, error.message)
        }
    }
}

extension Failure {
    fileprivate static let noBase = Failure(
        .invalidSource, "the links of this page lead nowhere without its URL: say it with --base")
}
