// Feeds: the files that RSS of all versions and Atom attach to their items. Lengths in feeds are often wrong, so they
// are not taken for facts.

import MirrorCore

/// Reads `<rss>`, `<rdf:RDF>` and `<feed>`.
final class FeedForm: XMLForm {
    private var draft: ListingDraft
    private let frame: ReferenceFrame
    private var bases = BaseStack()

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        frame = ReferenceFrame(page: context.address)
    }

    func start(_ element: XMLElement) {
        bases.enter(element, frame)
        guard let reference = Self.reference(element) else { return }
        guard let address = frame.resolve(reference, base: bases.current) else {
            return draft.doubt("a URL of the feed cannot be read")
        }
        draft.add(byLayout: address)
    }

    private static func reference(_ element: XMLElement) -> [UInt8]? {
        let name = element.name
        if name.is("enclosure") {
            // In RSS 1.0 it is `rdf:resource` of the enclosure module.
            return element.attribute("url") ?? element.attribute("resource", in: rdf)
                ?? element.attribute("url", in: "http://purl.oclc.org/net/rss_2.0/enc#")
        }
        if name.is("content"), name.isIn("http://search.yahoo.com/mrss/") || name.isIn("http://search.yahoo.com/mrss") {
            return element.attribute("url")
        }
        if name.is("link"), element.attribute("rel")?.elementsEqual("enclosure".utf8) == true {
            return element.attribute("href")
        }
        return nil
    }

    private static let rdf: StaticString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) { bases.leave(depth: depth) }

    func listing() -> Listing { draft.listing }
}
