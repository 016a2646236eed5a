// WebDAV's answer to PROPFIND (RFC 4918 section 9.1): links with properties, of which those with status 200 count.

import MirrorCore
import MirrorURL

/// Reads `{DAV:}multistatus`.
final class MultistatusForm: XMLForm {
    private struct Facts {
        var isFolder = false
        var size: Int64?
        var modified: Int64?
    }

    private var draft: ListingDraft
    private let frame: ReferenceFrame
    private let scope: IndexScope?
    private let folderPath: [UInt8]

    private var href: [UInt8]?
    private var status: Int?
    // Of the property block that is open, and of those with status 200.
    private var asked = Facts()
    private var askedStatus: Int?
    private var facts = Facts()
    private var folders: [(address: Address, path: Result<LocalPath, Failure>)] = []
    private var isWholeTree = false
    private var isLighttpd = false
    private var outside = 0

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        frame = ReferenceFrame(page: context.address)
        scope = context.address.map { IndexScope(page: $0.asFolder) }
        folderPath = scope.map { Array($0.folder.path.utf8) } ?? []
        if scope == nil { draft.fail(NamedFile.noBase) }
    }

    func start(_ element: XMLElement) {
        let name = element.name
        guard name.isIn("DAV:") else { return }
        if name.is("response") {
            href = nil
            status = nil
            facts = Facts()
        } else if name.is("propstat") {
            asked = Facts()
            askedStatus = nil
        } else if name.is("collection"), element.parent?.is("resourcetype") == true {
            asked.isFolder = true
        } else if name.is("getlastmodified"), !isLighttpd {
            // Only lighttpd writes this attribute, and it describes symbolic links where others follow them.
            isLighttpd = element.attribute("dt", in: "urn:uuid:c2f41010-65b3-11d1-a29f-00aa00c14882/") != nil
        }
    }

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        guard name.isIn("DAV:"), let parent, parent.isIn("DAV:") else { return }
        if parent.is("prop") {
            if name.is("getcontentlength") { asked.size = text.listedSize }
            if name.is("getlastmodified") { asked.modified = ListedTime.http(Array(text.trimmed)) }
        } else if parent.is("propstat") {
            if name.is("status") { askedStatus = Self.status(text) }
        } else if name.is("propstat") {
            if askedStatus ?? 200 == 200 { facts = asked }
        } else if parent.is("response") {
            if name.is("href"), href == nil { href = text }
            if name.is("status") { status = Self.status(text) }
        } else if depth == 2, name.is("response") {
            endResponse()
        }
    }

    /// The number of `HTTP/1.1 200 OK`.
    private static func status(_ line: [UInt8]) -> Int? {
        let words = line.split(separator: 0x20)
        return words.count < 2 ? nil : Int(String(decoding: words[1], as: UTF8.self))
    }

    private func endResponse() {
        guard let href, let scope else { return draft.doubt("the server lists something without a link") }
        if let status, !(200...299).contains(status) {
            // What has just been deleted is no gap.
            if status != 404, status != 410 { draft.doubt("the server could not list everything (\(status))") }
            return
        }
        guard let address = address(of: href) else {
            return draft.doubt("the server lists a link that cannot be read")
        }
        switch scope.position(of: address) {
        case .outside: outside += 1
        case .atOrAbove: break
        case .below(let path, let hasSlash):
            if case .success(let path) = path, path.folder != nil { isWholeTree = true }
            if hasSlash || facts.isFolder { return folders.append((hasSlash ? address : address.asFolder, path)) }
            let size = isLighttpd ? nil : facts.size
            draft.add(
                address, path: path.map { $0 },
                listed: ListedFacts(size: size, modified: isLighttpd ? nil : facts.modified))
        }
    }

    /// Behind a proxy servers write links to a host of their own: there only the path counts.
    private func address(of href: [UInt8]) -> Address? {
        guard let scope else { return nil }
        if let name = plainName(in: href) { return frame.resolve(name, base: scope.folder) }
        guard let address = frame.resolve(href, base: scope.folder) else { return nil }
        if address.origin == scope.folder.origin { return address }
        return frame.resolve(Array(address.path.utf8), base: scope.folder)
    }

    /// What stands behind the path of the folder, where it can be read in one way only: most links are like that, and
    /// a plain name is resolved much faster than a path.
    private func plainName(in href: [UInt8]) -> ArraySlice<UInt8>? {
        guard href.starts(with: folderPath) else { return nil }
        let name = href[folderPath.count...]
        guard let first = name.first, first != UInt8(ascii: "."), first != UInt8(ascii: "/") else { return nil }
        return name.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "?") }
            ? name : nil
    }

    func listing() -> Listing {
        // An answer of any depth lists what lies in the folders, too: they need not be read again.
        for folder in folders {
            if case .success = folder.path, isWholeTree { continue }
            draft.addFolder(folder.address, path: folder.path)
        }
        if outside > 0 {
            draft.doubt("the server lists \(outside) links that do not lead below the folder asked for")
        }
        draft.listing.tellsFoldersApart = !isLighttpd
        return draft.listing
    }
}
