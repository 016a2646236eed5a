// Listings: the pieces in which one arrives make no difference, what it names is safe, and a cut one is never complete.

import MirrorCore
import MirrorSources
import MirrorURL

func checkHTML(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    try checkListing(bytes, at: "http://h/d/", isBound: true) { HTMLListingReader(context: $0) }
}

/// Servers' own XML, buckets, multistatus, feeds, repositories and Metalinks: the root element tells which.
func checkXML(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    try checkListing(bytes, at: "http://h/d/?list-type=2") { XMLListingReader(context: $0) }
}

func checkJSON(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    try checkListing(bytes, at: "http://h/d/", isBound: true) { JSONListingReader(context: $0) }
}

func checkSums(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    try checkListing(bytes, at: "http://h/d/SHA256SUMS", isBound: true) { SumsReader(context: $0) }
}

/// Any document, of any form and packed in any way.
func checkDocument(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    try checkDocument(bytes, at: "http://h/d/")
}

/// What a server of FTP lists, line by line.
func checkFTP(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool { try checkDocument(bytes, at: "ftp://h/d/") }

private func checkDocument(_ bytes: [UInt8], at url: String) throws(BrokenPromise) -> Bool {
    guard let page = try? URLParser().parse(url) else { return false }
    let context = DocumentContext(address: page)
    let read = { (size: Int) -> SourceContent in
        let document = SourceDocument(.source(nil), form: nil, context: context)
        inPieces(bytes, of: size) { _ = document.read($0) }
        return document.finish(isWhole: true)
    }
    switch (read(bytes.count), read(pieceSize(of: bytes))) {
    case (.listing(let whole), .listing(let pieces)):
        try promise(whole.matches(pieces), "another listing in pieces")
        try checkListed(whole)
        return !whole.entries.isEmpty
    case (.entries(let whole), .entries(let pieces)):
        try promise(whole.entries.elementsEqual(pieces.entries, by: isSame), "other entries in pieces")
        try promise(whole.problems == pieces.problems, "other problems in pieces")
        try checkParsed(whole)
        return !whole.entries.isEmpty
    case (.listing, .entries), (.entries, .listing):
        throw BrokenPromise(description: "another form in pieces")
    }
}

/// - Parameter isBound: whether the form promises that all it names is on the origin of the page.
private func checkListing(
    _ bytes: [UInt8], at url: String, isBound: Bool = false,
    by reader: @escaping (DocumentContext) -> any DocumentReader
) throws(BrokenPromise) -> Bool {
    guard let page = try? URLParser().parse(url) else { return false }
    let read = { (size: Int, isWhole: Bool) -> Listing in
        let reader = reader(DocumentContext(address: page))
        inPieces(bytes, of: size) { reader.read($0) }
        return reader.finish(isWhole: isWhole)
    }
    let whole = read(bytes.count, true)
    try promise(whole.matches(read(pieceSize(of: bytes), true)), "another listing in pieces")
    try checkListed(whole)
    let cut = read(bytes.count, false)
    try promise(cut.state != .complete, "a cut listing is complete")
    if isBound {
        let addresses = whole.entries.flatMap(\.addresses) + whole.folders.map(\.address) + whole.parts.map(\.address)
        for address in addresses { try promise(address.origin == page.origin, address.text.quoted) }
    }
    return !whole.entries.isEmpty || !whole.folders.isEmpty || !whole.parts.isEmpty
}

private func checkListed(_ listing: Listing) throws(BrokenPromise) {
    // A refused one keeps the address that was listed, for the report alone: nobody asks for it.
    for entry in listing.entries where entry.options?.refusal == nil {
        try checkEntry(entry)
        if let size = entry.listed.size { try promise(size >= 0, "\(size)") }
    }
    for folder in listing.folders {
        try checkAddress(folder.address)
        try checkPath(folder.path)
    }
    for part in listing.parts {
        try checkAddress(part.address)
        if let size = part.size { try promise(size >= 0, "\(size)") }
    }
    let named = listing.entries.map(\.address)
    try promise(Set(named).count == named.count, "an address twice")
    for text in listing.warnings + [listing.state.why].compactMap({ $0 }) {
        try promise(!text.isEmpty && !text.steersTerminals && text.utf8.count < 1_000, text.quoted)
    }
}

/// Any size that is the same in every run.
private func pieceSize(of bytes: [UInt8]) -> Int { 1 + (bytes.count &+ Int(bytes.first ?? 0)) % 41 }

private func inPieces(_ bytes: [UInt8], of size: Int, _ take: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { raw in
        for start in stride(from: 0, to: raw.count, by: max(size, 1)) {
            take(UnsafeRawBufferPointer(rebasing: raw[start..<min(start + size, raw.count)]))
        }
    }
}

extension Listing {
    fileprivate func matches(_ other: Listing) -> Bool {
        entries.elementsEqual(other.entries) { $0.listed == $1.listed && isSame($0, $1) }
            && folders == other.folders && parts == other.parts && state == other.state
            && tellsFoldersApart == other.tellsFoldersApart && warnings == other.warnings
    }
}

extension Listing.State {
    fileprivate var why: String? {
        switch self {
        case .complete: nil
        case .incomplete(let why), .failed(let why): why
        }
    }
}
