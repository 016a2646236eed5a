// Every XML form of a source through one parser: the root element says which form it is.

import MirrorCore

/// What makes entries of the elements of one form.
protocol XMLForm: XMLElementReceiver {
    /// The listing once all elements have been taken.
    func listing() -> Listing
}

/// Reads XML documents: index pages, bucket listings, WebDAV answers, feeds, site maps, package indexes, Metalinks.
package final class XMLListingReader: DocumentReader {
    private let context: DocumentContext
    private let receiver = RootReceiver()
    private let document: XMLDocument

    package init(context: DocumentContext) {
        self.context = context
        receiver.context = context
        document = XMLDocument(charset: context.charset, receiver: receiver)
    }

    package func read(_ bytes: UnsafeRawBufferPointer) { document.read(bytes) }

    package func finish(isWhole: Bool) -> Listing {
        document.finish()
        if let refusal = document.refusal { return Listing(state: .failed(refusal)) }
        guard let form = receiver.form else {
            return Listing(state: .failed(receiver.refusal ?? document.doubt ?? "it is no XML document"))
        }
        var listing = form.listing()
        let doubt = isWhole ? document.doubt : "it ends early"
        if let doubt, listing.state == .complete { listing.state = .incomplete(doubt) }
        return listing
    }
}

/// Hands elements to the form that the root element stands for.
private final class RootReceiver: XMLElementReceiver {
    var context = DocumentContext(address: nil)
    private(set) var form: (any XMLForm)?
    private(set) var refusal: String?

    func start(_ element: XMLElement) {
        if element.depth == 1 { choose(element.name) }
        form?.start(element)
    }

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        form?.end(name, parent: parent, depth: depth, text: text)
    }

    private func choose(_ root: XMLName) {
        form = Self.form(root, context)
        if form == nil { refusal = Self.refusal(root) }
    }

    private static func form(_ root: XMLName, _ context: DocumentContext) -> (any XMLForm)? {
        if root.is("list") { return NginxXMLForm(context) }
        if root.is("ListBucketResult") { return BucketForm(context, isVersions: false) }
        if root.is("ListVersionsResult") { return BucketForm(context, isVersions: true) }
        if root.is("EnumerationResults") { return AzureForm(context) }
        if root.is("Error") { return ErrorForm() }
        if root.is("multistatus"), root.isIn("DAV:") { return MultistatusForm(context) }
        if root.is("urlset") || root.is("sitemapindex") { return SitemapForm(context) }
        if root.is("rss") || root.is("RDF") || root.is("feed") { return FeedForm(context) }
        if root.is("repomd") { return RepositoryForm(context) }
        if root.is("metadata") { return PackageForm(context) }
        if root.is("metalink") { return MetalinkForm(context) }
        return nil
    }

    private static func refusal(_ root: XMLName) -> String {
        if root.text.equalsIgnoringASCIICase("html") { return "it is a web page, no XML listing" }
        if root.is("ListAllMyBucketsResult") { return "it lists buckets, no files: give the URL of one bucket" }
        return "XML with the root element «\(root.text.prefix(40))» is no listing that is known"
    }
}
