// A listing while its document is read: each address once, a name that is not safe as an entry that is refused, the
// first doubt as the reason why it is incomplete.

import MirrorCore
import MirrorURL

/// A listing under construction.
struct ListingDraft {
    let context: DocumentContext
    var listing = Listing()
    private var seen = AddressSet()

    init(_ context: DocumentContext) { self.context = context }

    private mutating func isNew(_ address: Address) -> Bool { seen.insert(address) }

    /// Takes a file whose name is safe, or is not.
    mutating func add(
        _ address: Address, path: Result<LocalPath?, Failure>, line: Int = 0, listed: ListedFacts = ListedFacts(),
        options: EntryOptions? = nil, alternates: [Address] = []
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
            listing.entries.append(
                Entry(address: address, path: nil, place: place, options: EntryOptions(refusal: failure)))
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
    mutating func addFolder(_ address: Address, path: Result<LocalPath, Failure>) {
        switch path {
        case .success(let path):
            if isNew(address) { listing.folders.append(ListedFolder(address: address, path: path)) }
        case .failure(let failure): add(address, path: .failure(failure))
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
