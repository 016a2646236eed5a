// Azure's List Blobs.

import MirrorCore
import MirrorURL

/// Reads `<EnumerationResults>`.
final class AzureForm: XMLForm {
    private var draft: ListingDraft
    private let page: Address?
    private var keys = BucketKeys()
    private var paging = BucketPaging()

    private var name: [UInt8]?
    private var isEncoded = false
    private var size: Int64?
    private var modified: Int64?
    // Snapshots, deleted blobs and old versions have the name of the blob itself.
    private var isPast = false
    private var hasVersion = false
    private var isCurrent = false
    private var isFolder = false

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        page = context.address
        if page == nil { draft.fail(NamedFile.noBase) }
    }

    func start(_ element: XMLElement) {
        if element.name.is("Blob") || element.name.is("BlobPrefix") {
            name = nil
            size = nil
            modified = nil
            isPast = false
            hasVersion = false
            isCurrent = false
            isFolder = false
            isEncoded = false
        } else if element.name.is("Name") {
            isEncoded = element.attribute("Encoded").map { $0.elementsEqual("true".utf8) } ?? false
        }
    }

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        guard let parent else { return }
        if depth == 2 {
            endPageField(name, text)
        } else if depth == 3, parent.is("Blobs") {
            endItem(name)
        } else if parent.is("Properties") {
            if name.is("Content-Length") { size = text.listedSize }
            if name.is("Last-Modified") { modified = ListedTime.http(text) }
            if name.is("ResourceType") { isFolder = text.elementsEqual("directory".utf8) }
        } else if parent.is("Blob") || parent.is("BlobPrefix") {
            if name.is("Name") { self.name = text }
            if name.is("Snapshot"), !text.isEmpty { isPast = true }
            if name.is("Deleted"), text.elementsEqual("true".utf8) { isPast = true }
            if name.is("VersionId"), !text.isEmpty { hasVersion = true }
            if name.is("IsCurrentVersion") { isCurrent = text.elementsEqual("true".utf8) }
        }
    }

    private func endPageField(_ name: XMLName, _ text: [UInt8]) {
        if name.is("NextMarker"), !text.isEmpty { paging.nextMarker = text }
        if name.is("Prefix") { paging.prefix = text }
        if name.is("Delimiter") { paging.delimiter = text }
    }

    private func endItem(_ element: XMLName) {
        guard let name, !name.isEmpty else { return draft.doubt("the server lists a blob without a name") }
        if element.is("BlobPrefix") {
            keys.add(name, isPrefix: true, isEncoded: isEncoded)
        } else if !isPast, !isFolder, isCurrent || !hasVersion {
            keys.add(
                name, isPrefix: false, isEncoded: isEncoded, listed: ListedFacts(size: size, modified: modified))
        }
    }

    func listing() -> Listing {
        guard let page else { return draft.listing }
        keys.enter(&draft, page: page, prefix: paging.prefix, reading: nil)
        if paging.nextMarker != nil, let next = paging.next(after: page, lastKey: nil) {
            if next == page {
                draft.doubt("the server names this page as the next one")
            } else {
                draft.addPart(ListedPart(address: next))
            }
        }
        return draft.listing
    }
}
