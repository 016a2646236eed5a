// Every XML form of a source through one parser: the root element says which form it is.

import MirrorCore

/// What makes entries of the elements of one form.
protocol XMLForm: XMLElementReceiver {
    /// The listing once all elements have been taken.
    func listing() -> Listing
}

/// Reads XML documents: index pages, bucket listings, WebDAV answers, feeds, site maps, package indexes, Metalinks.
package final class XMLListingReader: DocumentReader {
    private let root: XMLRoot
    private let document: XMLDocument

    package init(context: DocumentContext) {
        let root = XMLRoot(context)
        self.root = root
        document = XMLDocument(charset: context.charset) { root.choose($0) }
    }

    package func read(_ bytes: UnsafeRawBufferPointer) { document.read(bytes) }

    package func finish(isWhole: Bool) -> Listing {
        document.finish()
        if let refusal = document.refusal { return Listing(state: .failed(refusal)) }
        guard let form = root.form else {
            return Listing(state: .failed(root.refusal ?? document.doubt ?? "it is no XML document"))
        }
        var listing = form.listing()
        let doubt = isWhole ? document.doubt : "it ends early"
        if let doubt, listing.state == .complete { listing.state = .incomplete(doubt) }
        return listing
    }
}

/// Finds the form that the root element stands for.
private final class XMLRoot {
    private let context: DocumentContext
    private(set) var form: (any XMLForm)?
    /// Why there is none.
    private(set) var refusal: String?

    init(_ context: DocumentContext) { self.context = context }

    func choose(_ root: XMLName) -> (any XMLElementReceiver)? {
        form = Self.form(root, context)
        if form == nil { refusal = Self.refusal(root) }
        return form
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
