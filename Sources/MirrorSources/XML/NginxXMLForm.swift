// nginx's autoindex_format xml: bare names with exact sizes and times.

import MirrorCore
import MirrorURL

/// Reads `<list>` with `<file>` and `<directory>`.
final class NginxXMLForm: XMLForm {
    private var draft: ListingDraft
    private let names: NameResolver?
    private var listed = ListedFacts()

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        names = context.address.map { NameResolver(page: $0) }
        if names == nil { draft.fail(NamedFile.noBase) }
    }

    func start(_ element: XMLElement) {
        guard element.depth == 2 else { return }
        listed = ListedFacts(
            size: element.rawAttribute("size")?.listedSize,
            modified: element.rawAttribute("mtime").flatMap { ListedTime.iso($0) })
    }

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        guard depth == 2, let names else { return }
        let isFolder = name.is("directory")
        // `<other>` is a device, a socket or a pipe: nothing that could be fetched.
        guard isFolder || name.is("file") else { return }
        draft.add(NamedFile(name: text, isFolder: isFolder, listed: listed), names)
    }

    func listing() -> Listing { draft.listing }
}
