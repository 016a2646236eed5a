// Reads an index with all that lies below it: level by level, the folders of a level side by side. What comes out has
// the order of the pages, whatever order the answers came in. It never leaves the index: not above it, not to another
// origin. Every folder that could not be read is told, for nothing below it may be taken for gone.

import MirrorCore
import MirrorSources
import MirrorThreads
import MirrorTransport
import MirrorURL

/// Reads one index.
struct Crawler {
    /// Deeper trees than this are loops that nothing else has shown.
    static let deepest = 64
    /// Folders of one index, at most.
    static let mostFolders = 1_000_000

    let options: SyncOptions
    let fetcher: DocumentFetcher
    let prober: Prober
    /// Which of the given sources the index belongs to.
    let source: Int

    /// What an index names.
    struct Result: Sendable {
        var entries: [Entry] = []
        /// What servers said of entries already, by their place.
        var facts: [Int: RemoteFacts] = [:]
        /// Why it is not known to be all; nil where it is.
        var gap: String?
        var warnings: [String] = []
        /// The folders that hold all that it names.
        var scopes: [IndexScope] = []
        /// Folders below the deepest level that is wanted.
        var unread: [Address] = []
        /// Why the index itself cannot be read.
        var failure: Failure?
    }

    /// - Parameters:
    ///   - root: the URL of the index.
    ///   - folder: the folder below DIR that its entries go to; nil for DIR itself.
    ///   - page: the index page, where it has been read already.
    func read(_ root: Address, into folder: LocalPath?, page: DocumentFetcher.Fetched? = nil) async -> Result {
        var tree = [CrawlFolder(root, path: folder)]
        var scope = Scope(root)
        var level = [0]
        var known: Set = [Place(address: root, path: folder)]
        while !level.isEmpty, !Task.isCancelled {
            await readPages(&tree, level, &scope, page: page)
            await askForFolders(&tree, level)
            level = grow(&tree, level, &known)
        }
        var result = Result()
        if case .failed(let why) = tree[0].listing?.state ?? .failed("interrupted before it was read") {
            result.failure = Failure(.invalidSource, why)
        }
        result.scopes = scope.scopes
        collect(0, tree, &result)
        return result
    }

    /// The folders that an index may lead to: below the URL that was given, or below where that was redirected to.
    struct Scope: Sendable {
        fileprivate private(set) var scopes: [IndexScope]

        init(_ root: Address) { scopes = [IndexScope(page: root)] }

        mutating func add(_ address: Address) { scopes.append(IndexScope(page: address)) }

        func holds(_ address: Address) -> Bool {
            scopes.contains { scope in
                if case .below = scope.position(of: address) { return true }
                return scope.folder == address.folder
            }
        }
    }

    // MARK: Reading

    private func readPages(
        _ tree: inout [CrawlFolder], _ level: [Int], _ scope: inout Scope, page: DocumentFetcher.Fetched?
    ) async {
        let pages = Locked<[Int: DocumentFetcher.Fetched]>([:])
        let failures = Locked<[Int: Failure]>([:])
        let folders = tree
        if let page, level == [0] {
            pages.withLock { $0[0] = page }
        } else {
            await dispatch(level.map { ($0, folders[$0].address.origin) }) { index in
                do throws(Failure) {
                    let fetched = try await fetch(folders[index])
                    pages.withLock { $0[index] = fetched }
                } catch {
                    failures.withLock { $0[index] = error }
                }
            }
        }
        for index in level {
            if let failure = failures.withLock({ $0[index] }) {
                tree[index].listing = Listing(state: .failed(failure.message))
            } else if let page = pages.withLock({ $0.removeValue(forKey: index) }) {
                take(page, index, &tree, &scope)
            }
        }
    }

    private func fetch(_ folder: CrawlFolder) async throws(Failure) -> DocumentFetcher.Fetched {
        let source = source, layout = options.layout
        let form = folder.parent == nil || options.form == .dav ? options.form : nil
        return try await fetcher.fetch(
            folder.address, form: form, mayBeDAV: folder.address.isHTTP && !folder.isPart, promise: folder.part
        ) { address, head, form in
            SourceDocument(
                .folder, form: form,
                context: DocumentContext(
                    address: address, charset: head.charset, mediaType: head.mediaType, source: source,
                    layout: layout))
        }
    }

    private func take(
        _ page: DocumentFetcher.Fetched, _ index: Int, _ tree: inout [CrawlFolder], _ scope: inout Scope
    ) {
        let folder = tree[index]
        if folder.parent == nil { scope.add(page.address) }
        guard case .listing(var listing) = page.content else {
            tree[index].listing = Listing(state: .failed("the page is no listing of files"))
            return
        }
        if !folder.isPart, !scope.holds(page.address) {
            listing = Listing(state: .failed("the folder is redirected to a place outside of the index"))
        } else if isLoop(listing, folder, tree) {
            listing = Listing(state: .failed("the folder lists what a folder above it lists: a loop"))
        }
        if !listing.folders.isEmpty { tree[index].fingerprint = listing.fingerprint }
        tree[index].listing = listing
    }

    /// Whether a folder shows what one above it shows. One that holds a single folder of its own name may be a real one.
    private func isLoop(_ listing: Listing, _ folder: CrawlFolder, _ tree: [CrawlFolder]) -> Bool {
        guard !folder.isPart, !listing.folders.isEmpty, listing.entries.count + listing.folders.count > 1 else {
            return false
        }
        let fingerprint = listing.fingerprint
        var above = folder.parent
        while let index = above {
            if tree[index].fingerprint == fingerprint, !tree[index].isPart { return true }
            above = tree[index].parent
        }
        return false
    }

    // MARK: Folders without a mark

    /// Where a server does not mark folders, each entry is asked for; the answers are kept for the plan.
    private func askForFolders(_ tree: inout [CrawlFolder], _ level: [Int]) async {
        var questions: [(folder: Int, entry: Int)] = []
        for index in level {
            guard let listing = tree[index].listing, !listing.tellsFoldersApart else { continue }
            for (place, entry) in listing.entries.enumerated() where entry.address.isHTTP && entry.path != nil {
                questions.append((index, place))
            }
        }
        guard !questions.isEmpty else { return }
        let answers = Answers()
        let asked = questions.map { tree[$0.folder].listing?.entries[$0.entry] }
        await dispatch(asked.indices.compactMap { index in asked[index].map { (index, $0.address.origin) } }) { index in
            guard let entry = asked[index],
                let facts = await prober.facts(
                    of: Prober.Question(entry: entry, refusesHTML: false, record: nil))
            else { return }
            answers.add(facts, index)
        }
        var folders: [Int: Set<Int>] = [:]
        for (index, facts) in answers.all {
            let question = questions[index]
            if facts.isFolder {
                fetcher.requests.withLock { $0 += facts.requests }
                folders[question.folder, default: []].insert(question.entry)
            } else {
                tree[question.folder].facts[question.entry] = facts
            }
        }
        for (index, places) in folders { tree[index].turnIntoFolders(places) }
    }

    private func dispatch(
        _ work: [(index: Int, origin: Origin)],
        _ body: nonisolated(nonsending) @escaping @Sendable (Int) async -> Void
    ) async {
        let jobs = max(options.jobs, options.transport.connectionsPerHost)
        await Dispatcher(courier: fetcher.courier, jobs: jobs).run(work) { index, _ in await body(index) }
    }

    // MARK: The tree

    /// A document of an index and where its files go: what was read once is not read again.
    private struct Place: Hashable {
        let address: Address
        let path: LocalPath?
    }

    /// The folders of the next level.
    private func grow(_ tree: inout [CrawlFolder], _ level: [Int], _ known: inout Set<Place>) -> [Int] {
        var next: [Int] = []
        for index in level {
            guard var listing = tree[index].listing else { continue }
            tree[index].parts = addParts(of: &listing, index, &tree, &known)
            tree[index].folders = addFolders(of: &listing, index, &tree, &known)
            tree[index].listing = listing
            next += tree[index].parts + tree[index].folders
        }
        return next
    }

    private func addParts(
        of listing: inout Listing, _ index: Int, _ tree: inout [CrawlFolder], _ known: inout Set<Place>
    ) -> [Int] {
        var added: [Int] = []
        let path = tree[index].path, depth = tree[index].depth
        for part in listing.parts {
            guard known.insert(Place(address: part.address, path: path)).inserted else {
                // A list that goes on with itself has no end that anybody knows.
                if isAbove(part.address, index, tree) {
                    listing.note(.incomplete("the listing names one of its parts twice"))
                }
                continue
            }
            guard tree.count < Self.mostFolders else {
                listing.note(.incomplete("the listing has too many parts"))
                break
            }
            added.append(tree.count)
            tree.append(CrawlFolder(part.address, path: path, depth: depth, parent: index, part: part))
        }
        return added
    }

    private func addFolders(
        of listing: inout Listing, _ index: Int, _ tree: inout [CrawlFolder], _ known: inout Set<Place>
    ) -> [Int] {
        var added: [Int] = []
        let parent = tree[index]
        if isDeepest(parent) { return added }
        for folder in listing.folders where mayBeWanted(folder, parent) {
            guard parent.depth < Self.deepest, tree.count < Self.mostFolders else {
                listing.note(.incomplete("the tree is too deep or too large"))
                break
            }
            do throws(Failure) {
                let path = try LocalName.path(folder.path, below: parent.path)
                // Each page of a bucket names the folders that began on an earlier one.
                guard known.insert(Place(address: folder.address, path: path)).inserted else { continue }
                added.append(tree.count)
                tree.append(CrawlFolder(folder.address, path: path, depth: parent.depth + 1, parent: index))
            } catch {
                listing.refuse(folder, error)
            }
        }
        return added
    }

    /// Whether the folders below are of no interest (`--depth`).
    private func isDeepest(_ folder: CrawlFolder) -> Bool { options.depth.map { folder.depth >= $0 } ?? false }

    /// Whether a filter leaves anything of a folder. With `--delete` all must be known.
    private func mayBeWanted(_ folder: ListedFolder, _ parent: CrawlFolder) -> Bool {
        guard options.removal == nil, options.layout == .name else { return true }
        let path = parent.path.map { "\($0.text)/\(folder.path.text)" } ?? folder.path.text
        return options.selection.mayWant(below: path)
    }

    /// Whether a document is the one that names it, or one that this continues.
    private func isAbove(_ address: Address, _ index: Int, _ tree: [CrawlFolder]) -> Bool {
        var above: Int? = index
        while let index = above {
            if tree[index].address == address { return true }
            above = tree[index].isPart ? tree[index].parent : nil
        }
        return false
    }

    // MARK: The result

    /// Adds a folder and all below it in the order of the pages. Not by recursion: a listing of a million pages is a
    /// chain of as many parts.
    private func collect(_ root: Int, _ tree: [CrawlFolder], _ result: inout Result) {
        var waiting = [root]
        while let index = waiting.popLast() {
            let folder = tree[index]
            guard let listing = folder.listing else {
                result.gap = result.gap ?? "interrupted"
                continue
            }
            switch listing.state {
            case .complete: break
            case .incomplete(let why), .failed(let why):
                result.gap = result.gap ?? why
                result.entries.append(gapEntry(folder, why))
            }
            add(listing.entries, of: folder, to: &result)
            result.warnings += listing.warnings
            if isDeepest(folder) { result.unread += listing.folders.map(\.address) }
            waiting += (folder.parts + folder.folders).reversed()
        }
    }

    private func add(_ entries: [Entry], of folder: CrawlFolder, to result: inout Result) {
        for (place, facts) in folder.facts { result.facts[result.entries.count + place] = facts }
        // The page that is the whole index may be a large one.
        if result.entries.isEmpty, isPlaced(entries, folder) { return result.entries = entries }
        for entry in entries { result.entries.append(placed(entry, folder)) }
    }

    /// Whether the entries stay as they are.
    private func isPlaced(_ entries: [Entry], _ folder: CrawlFolder) -> Bool {
        guard options.layout == .name, folder.path == nil else { return false }
        let place = SourcePlace(source: source)
        return entries.withUnsafeBufferPointer { entries in
            entries.indices.allSatisfy { entries[$0].place.source == place.source && entries[$0].place.line == 0 }
        }
    }

    private func placed(_ entry: Entry, _ folder: CrawlFolder) -> Entry {
        var entry = entry
        entry.place = SourcePlace(source: source)
        guard let relative = entry.path else { return entry }
        do throws(Failure) {
            entry.path =
                try options.layout == .name
                ? LocalName.path(relative, below: folder.path)
                : LocalName.path(for: entry.address, layout: options.layout)
        } catch {
            entry.path = nil
            entry.options = EntryOptions(refusal: error)
        }
        return entry
    }

    /// The line of the report that says what could not be read.
    private func gapEntry(_ folder: CrawlFolder, _ why: String) -> Entry {
        Entry(
            address: folder.address, place: SourcePlace(source: source),
            options: EntryOptions(
                refusal: Failure(.invalidSource, why), refusedName: folder.path.map { "\($0.text)/" } ?? ""))
    }
}

extension CrawlFolder {
    /// Makes folders of entries that turned out to be some.
    fileprivate mutating func turnIntoFolders(_ places: Set<Int>) {
        guard var listing else { return }
        var entries: [Entry] = []
        var kept: [Int: RemoteFacts] = [:]
        for (place, entry) in listing.entries.enumerated() {
            if places.contains(place), let path = entry.path, let address = entry.address.withSlash {
                listing.folders.append(ListedFolder(address: address, path: path))
            } else {
                if let facts = facts[place] { kept[entries.count] = facts }
                entries.append(entry)
            }
        }
        listing.entries = entries
        facts = kept
        self.listing = listing
    }
}

extension Listing {
    /// Makes it less than complete; what was worse stays.
    fileprivate mutating func note(_ state: State) {
        if self.state == .complete { self.state = state }
    }

    fileprivate mutating func refuse(_ folder: ListedFolder, _ failure: Failure) {
        entries.append(
            Entry(
                address: folder.address,
                options: EntryOptions(refusal: failure, refusedName: "\(folder.path.text)/")))
        note(.incomplete(failure.message))
    }
}
