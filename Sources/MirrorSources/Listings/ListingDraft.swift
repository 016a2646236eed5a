// A listing while its document is read: each address once, a name that is not safe as an entry that is refused, the
// first doubt as the reason why it is incomplete.

import MirrorCore
import MirrorURL

/// A listing under construction.
struct ListingDraft {
    let context: DocumentContext
    var listing = Listing()
    // Indexes are sorted, nearly always, and what comes in ascending order needs no set to be new.
    private var seen: AddressSet?
    private var lastFile = ""
    private var lastFolder = ""

    init(_ context: DocumentContext) { self.context = context }

    /// Whether a file, a part or a folder is named for the first time. Addresses of folders are never those of files.
    private mutating func isNew(_ address: Address, isFolder: Bool = false) -> Bool {
        if seen != nil { return seen?.insert(address) ?? true }
        guard isFolder ? lastFolder.precedes(address.text) : lastFile.precedes(address.text) else {
            var all = AddressSet()
            for entry in listing.entries { _ = all.insert(entry.address) }
            for folder in listing.folders { _ = all.insert(folder.address) }
            for part in listing.parts { _ = all.insert(part.address) }
            let isNew = all.insert(address)
            seen = all
            return isNew
        }
        if isFolder { lastFolder = address.text } else { lastFile = address.text }
        return true
    }

    /// Takes a file with a path that is safe.
    mutating func add(_ address: Address, at path: LocalPath, listed: ListedFacts) {
        guard isNew(address) else { return }
        listing.entries.append(
            Entry(address: address, path: path, place: SourcePlace(source: context.source), listed: listed))
    }

    /// Takes a file whose name is safe, or is not.
    /// - Parameter name: what it is called where the path is not safe.
    mutating func add(
        _ address: Address, path: Result<LocalPath?, Failure>, name: @autoclosure () -> [UInt8]? = nil, line: Int = 0,
        listed: ListedFacts = ListedFacts(), options: EntryOptions? = nil, alternates: [Address] = []
    ) {
        guard isNew(address) else { return }
        let place = SourcePlace(source: context.source, line: line)
        switch path {
        case .success(let path):
            listing.entries.append(
                Entry(
                    address: address, alternates: alternates, path: path, place: place, listed: listed,
                    options: options))
        case .failure(let failure):
            let refusal = EntryOptions(
                refusal: failure, refusedName: name().map { String(decoding: $0, as: UTF8.self) })
            listing.entries.append(Entry(address: address, path: nil, place: place, options: refusal))
        }
    }

    /// Takes a file whose path follows from its URL alone, as with feeds.
    mutating func add(byLayout address: Address, listed: ListedFacts = ListedFacts(), options: EntryOptions? = nil) {
        add(address, path: Self.path(of: address, layout: context.layout), listed: listed, options: options)
    }

    static func path(of address: Address, layout: Layout) -> Result<LocalPath?, Failure> {
        do throws(Failure) {
            return .success(try LocalName.path(for: address, layout: layout))
        } catch {
            return .failure(error)
        }
    }

    /// Takes a folder; one with an unsafe name is an entry that is refused.
    mutating func addFolder(_ address: Address, path: Result<LocalPath, Failure>, name: [UInt8]? = nil) {
        switch path {
        case .success(let path):
            if isNew(address, isFolder: true) { listing.folders.append(ListedFolder(address: address, path: path)) }
        case .failure(let failure): add(address, path: .failure(failure), name: name)
        }
    }

    /// Takes a further document.
    mutating func addPart(_ part: ListedPart) {
        if isNew(part.address) { listing.parts.append(part) }
    }

    mutating func warn(_ sentence: String) {
        if listing.warnings.count < 100 { listing.warnings.append(sentence) }
    }

    /// Says why there may be more than is named; the first reason stays.
    mutating func doubt(_ why: String) {
        if listing.state == .complete { listing.state = .incomplete(why) }
    }

    /// Says why it is no listing.
    mutating func fail(_ why: String) {
        if case .failed = listing.state { return }
        listing.state = .failed(why)
    }
}
