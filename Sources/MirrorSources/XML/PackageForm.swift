// yum's primary.xml: the packages of a repository.

import MirrorCore
import MirrorURL

/// Reads `<metadata>` with `<package>`.
final class PackageForm: XMLForm {
    private var draft: ListingDraft
    private let frame: ReferenceFrame
    private let root: RepositoryRoot
    private var bases = BaseStack()
    private var file = PackageFile()
    private var checksumType: [UInt8]?
    private var base: Address?
    private var modified: Int64?
    private var packages: Int64 = 0
    private var promised: Int64?

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        frame = ReferenceFrame(page: context.address)
        root = RepositoryRoot(document: context.address)
    }

    func start(_ element: XMLElement) {
        bases.enter(element, frame)
        let name = element.name
        switch element.depth {
        case 1: promised = element.attribute("packages")?.listedSize
        case 2 where name.is("package"):
            file = PackageFile()
            modified = nil
        case 3 where name.is("location"):
            file.href = element.attribute("href")
            base = bases.current?.asFolder
        case 3 where name.is("size"): file.size = element.attribute("package")?.listedSize
        case 3 where name.is("time"): modified = element.attribute("file")?.listedSize
        case 3 where name.is("checksum"): checksumType = element.attribute("type")
        default: break
        }
    }

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        bases.leave(depth: depth)
        if depth == 3, name.is("checksum"), parent?.is("package") == true {
            file.take(hex: text, type: checksumType)
        } else if depth == 2, name.is("package") {
            packages += 1
            endPackage()
        }
    }

    private func endPackage() {
        guard let href = file.href, let address = frame.resolve(href, base: base ?? root.address) else {
            return draft.doubt("a package has no URL that can be read")
        }
        draft.add(
            address, path: root.path(of: address, layout: draft.context.layout),
            listed: ListedFacts(size: file.size, modified: modified), options: file.options)
    }

    func listing() -> Listing {
        if let promised, packages < promised {
            draft.doubt("the list has \(packages) of the \(promised) packages that it names")
        }
        return draft.listing
    }
}
