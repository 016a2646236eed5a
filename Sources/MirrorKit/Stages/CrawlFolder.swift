// One folder of an index while the index is read: where it is, what it names, what lies below it.

import MirrorCore
import MirrorSources

/// A document of an index: a folder, or a further part of one.
struct CrawlFolder: Sendable {
    let address: Address
    /// Its place below DIR; nil for DIR itself.
    let path: LocalPath?
    /// 1 for the index itself.
    let depth: Int
    /// The folder that names it; nil for the index itself.
    let parent: Int?
    /// Whether it continues its parent and lists no folder of its own.
    var isPart: Bool { part != nil }
    /// What its parent says of it where it continues that.
    let part: ListedPart?
    /// What it names, once it has been read.
    var listing: Listing?
    /// What the server said of entries that may have been folders, by their place in the listing.
    var facts: [Int: RemoteFacts] = [:]
    /// Those that it names, in its order.
    var folders: [Int] = []
    var parts: [Int] = []
    /// What tells its listing from others; nil where it names no folder, and so nothing below it can lead back.
    var fingerprint: Int?

    init(_ address: Address, path: LocalPath?, depth: Int = 1, parent: Int? = nil, part: ListedPart? = nil) {
        self.address = address
        self.path = path
        self.depth = depth
        self.parent = parent
        self.part = part
    }
}

extension Listing {
    /// A number that is the same for two folders with the same names, sizes and times. A link that leads back up shows
    /// what a folder above it shows.
    var fingerprint: Int {
        var hasher = Hasher()
        for entry in entries {
            (entry.path?.text ?? "").hashBytes(into: &hasher)
            hasher.combine(entry.listed)
        }
        for folder in folders { folder.path.text.hashBytes(into: &hasher) }
        return hasher.finalize()
    }
}
