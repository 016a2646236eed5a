// yum's repomd.xml: the metadata files of a package repository, and which of them lists the packages.

import MirrorCore
import MirrorURL

/// Reads `<repomd>`.
final class RepositoryForm: XMLForm {
    private var draft: ListingDraft
    private let frame: ReferenceFrame
    private let root: RepositoryRoot
    private var bases = BaseStack()
    private var file = PackageFile()
    private var type: [UInt8] = []
    private var checksumType: [UInt8]?
    private var base: Address?
    private var hasPackages = false

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        frame = ReferenceFrame(page: context.address)
        root = RepositoryRoot(document: context.address)
    }

    func start(_ element: XMLElement) {
        bases.enter(element, frame)
        let name = element.name
        if name.is("data") {
            file = PackageFile()
            type = element.attribute("type") ?? []
        } else if name.is("location") {
            file.href = element.attribute("href")
            base = bases.current?.asFolder
        } else if name.is("checksum") {
            checksumType = element.attribute("type")
        }
    }

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        bases.leave(depth: depth)
        if depth == 3, parent?.is("data") == true {
            // `open-size` and `open-checksum` are of the bytes behind the compression.
            if name.is("size") { file.size = text.listedSize }
            if name.is("checksum") { file.take(hex: text, type: checksumType) }
        } else if depth == 2, name.is("data") {
            endFile()
        }
    }

    private func endFile() {
        guard let href = file.href, let address = frame.resolve(href, base: base ?? root.address) else {
            return draft.doubt("a file of the repository has no URL that can be read")
        }
        draft.add(
            address, path: root.path(of: address, layout: draft.context.layout),
            listed: ListedFacts(size: file.size), options: file.options)
        if type.elementsEqual("primary".utf8) {
            // It is an entry as well, so it is not asked for by its address whether it is new.
            draft.listing.parts.append(ListedPart(address: address, size: file.size, checksum: file.checksum))
            hasPackages = true
        }
    }

    func listing() -> Listing {
        if !hasPackages { draft.doubt("the repository names no list of its packages") }
        return draft.listing
    }
}
