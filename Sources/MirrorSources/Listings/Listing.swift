// What one document of a source names: an index page, a bucket listing, a feed, a list of checksums. Never what is to
// be done with it.

import MirrorCore

/// Files, folders and further documents that a document names, and whether that is all.
package struct Listing: Sendable {
    /// How far a listing can be relied on. Only a complete one can say that something is *not* there.
    package enum State: Sendable, Equatable {
        case complete
        /// What is named is there, but there may be more. One sentence without final stop.
        case incomplete(String)
        /// It is no listing, or cannot be read. One sentence without final stop.
        case failed(String)
    }

    /// In document order, each address once. Paths are relative to the folder that the document lists.
    package var entries: [Entry] = []
    /// Folders below, to be read as listings of their own.
    package var folders: [ListedFolder] = []
    /// Documents that belong to this one: the next page, the parts of a sitemap, the packages of a repository.
    package var parts: [ListedPart] = []
    package var state = State.complete
    /// Whether its entries are known to be files. Where the server does not mark folders, each must be asked: a folder
    /// is redirected to its name with a slash.
    package var tellsFoldersApart = true
    /// Things passed over that a user would want to know. Sentences without final stop.
    package var warnings: [String] = []

    package init(state: State = .complete) { self.state = state }
}

/// A folder that a listing names.
package struct ListedFolder: Sendable, Hashable {
    package var address: Address
    /// Relative to the folder that the document lists.
    package var path: LocalPath

    package init(address: Address, path: LocalPath) {
        self.address = address
        self.path = path
    }
}

/// A document that continues another one.
package struct ListedPart: Sendable, Hashable {
    package var address: Address
    /// What the first document promises of its bytes.
    package var size: Int64?
    package var checksum: Checksum?

    package init(address: Address, size: Int64? = nil, checksum: Checksum? = nil) {
        self.address = address
        self.size = size
        self.checksum = checksum
    }
}
