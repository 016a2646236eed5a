// Site maps and indexes of site maps (sitemaps.org).

import MirrorCore

/// Reads `<urlset>` and `<sitemapindex>`.
final class SitemapForm: XMLForm {
    private var draft: ListingDraft
    private let frame: ReferenceFrame

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        frame = ReferenceFrame(page: context.address)
    }

    func start(_ element: XMLElement) {}

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        // Pictures and films have elements of the same name, deeper down.
        guard depth == 3, name.is("loc"), let parent else { return }
        guard parent.is("url") || parent.is("sitemap") else { return }
        guard let address = frame.resolve(text) else {
            return draft.doubt("a URL of the site map cannot be read")
        }
        if parent.is("url") {
            draft.add(byLayout: address)
        } else {
            draft.addPart(ListedPart(address: address))
        }
    }

    func listing() -> Listing { draft.listing }
}
