// How every form of listing is read: bytes in pieces as they arrive, one listing at the end. Memory grows with what is
// named, not with the document.

import MirrorCore

/// Reads one document. Used once, by one thread at a time.
package protocol DocumentReader: AnyObject {
    /// Takes the next bytes, of any length. What is wrong with them is told at the end.
    func read(_ bytes: UnsafeRawBufferPointer)

    /// - Parameter isWhole: whether the document arrived to its end; a cut one is incomplete at best.
    func finish(isWhole: Bool) -> Listing
}

extension DocumentReader {
    /// - Parameter end: how unpacking the document ended.
    package func finish(isWhole: Bool, unpacked end: Unpacker.End) -> Listing {
        switch end {
        case .whole: return finish(isWhole: isWhole)
        case .refused(let why): return Listing(state: .failed(why))
        case .cut(let why):
            var listing = finish(isWhole: false)
            if isWhole, case .incomplete = listing.state { listing.state = .incomplete(why) }
            return listing
        }
    }
}

/// Where a document came from, and what was said of it.
package struct DocumentContext: Sendable {
    /// The URL that the document was read from, after all redirects: what its links are resolved against. Nil for a
    /// local file of which nobody said where it came from.
    package var address: Address?
    /// The `charset` of the Content-Type field, as it was sent.
    package var charset: String?
    /// The media type of the Content-Type field in small letters, without parameters.
    package var mediaType: String?
    /// Which of the given sources it belongs to, from 0.
    package var source: Int
    /// What the source asks for files that no page places below a folder, such as those of a feed.
    package var layout: Layout

    package init(
        address: Address?, charset: String? = nil, mediaType: String? = nil, source: Int = 0, layout: Layout = .name
    ) {
        self.address = address
        self.charset = charset
        self.mediaType = mediaType
        self.source = source
        self.layout = layout
    }
}
