// Index pages in JSON: an array with one object for each file, of nginx and its relatives or of Caddy. An object is a list
// of packages, or nothing that is known.

import MirrorCore
import MirrorURL

/// Reads the JSON of nginx, Angie and Caddy, also as JSONP, and that of package indexes.
package final class JSONListingReader: DocumentReader {
    private let receiver: JSONListingReceiver
    private let events: JSONEvents
    private let context: DocumentContext
    private var packages: PackageListReader?
    private var hasBegun = false

    package init(context: DocumentContext) {
        self.context = context
        receiver = JSONListingReceiver(context)
        events = JSONEvents(receiver: receiver)
    }

    package func read(_ bytes: UnsafeRawBufferPointer) {
        if !hasBegun { begin(bytes) }
        if let packages { packages.read(bytes) } else { events.read(bytes) }
    }

    private func begin(_ bytes: UnsafeRawBufferPointer) {
        // Behind blanks and a byte order mark.
        guard let first = bytes.first(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }) else { return }
        hasBegun = true
        if first == UInt8(ascii: "{") { packages = PackageListReader(context: context) }
    }

    package func finish(isWhole: Bool) -> Listing {
        if let packages { return packages.finish(isWhole: isWhole) }
        events.finish()
        guard receiver.isArray else {
            return Listing(state: .failed(receiver.refusal ?? events.doubt ?? "it is no JSON listing"))
        }
        var listing = receiver.listing()
        let doubt = isWhole ? events.doubt : "it ends early"
        if let doubt, listing.state == .complete { listing.state = .incomplete(doubt) }
        return listing
    }
}

/// Makes entries of the objects.
private final class JSONListingReceiver: JSONReceiver {
    private enum Key { case name, type, mtime, size, url, isFolder, modTime, isLink, other }

    private struct Item {
        var name: [UInt8]?
        var url: [UInt8]?
        var type: [UInt8] = []
        var size: Int64?
        var modified: Int64?
        var isFolder = false
        var isLink = false
    }

    private var draft: ListingDraft
    private let frame: ReferenceFrame
    private let names: NameResolver?
    private let scope: IndexScope?
    private var item = Item()
    private var field = Key.other
    private(set) var isArray = false
    private(set) var refusal: String?

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        frame = ReferenceFrame(page: context.address)
        names = context.address.map { NameResolver(page: $0) }
        scope = context.address.map { IndexScope(page: $0) }
        if let page = context.address {
            // Caddy cuts its list where it is asked to, and does not say so.
            let isPart = page.queryValue(of: "limit") != nil || page.queryValue(of: "offset") != nil
            if isPart { draft.doubt("its URL asks for a part of the list") }
        } else {
            draft.fail(NamedFile.noBase)
        }
    }

    func beginContainer(isArray: Bool, depth: Int) {
        switch depth {
        case 1:
            self.isArray = isArray
            if !isArray { refusal = "a JSON object is no listing that is known" }
        case 2:
            item = Item()
            if isArray { noteUnknown() }
        default: break
        }
        field = .other
    }

    func endContainer(depth: Int) {
        field = .other
        if depth == 2, isArray { endItem() }
    }

    func key(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) { field = depth == 2 ? Self.field(bytes) : .other }

    private static let keys: [(name: StaticString, key: Key)] = [
        ("name", .name), ("type", .type), ("mtime", .mtime), ("size", .size), ("url", .url), ("is_dir", .isFolder),
        ("mod_time", .modTime), ("is_symlink", .isLink),
    ]

    private static func field(_ bytes: UnsafeBufferPointer<UInt8>) -> Key {
        for (name, key) in keys {
            guard name.utf8CodeUnitCount == bytes.count else { continue }
            if bytes.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: bytes.count)) { return key }
        }
        return .other
    }

    func string(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
        guard depth == 2 else { return noteUnknown(depth) }
        switch field {
        case .name: item.name = Array(bytes)
        case .url: item.url = Array(bytes)
        case .type: item.type = Array(bytes)
        case .mtime: item.modified = ListedTime.http(Array(bytes))
        case .modTime: item.modified = ListedTime.iso(bytes)
        case .size, .isFolder, .isLink, .other: break
        }
        field = .other
    }

    func number(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
        guard depth == 2 else { return noteUnknown(depth) }
        // Angie writes times as seconds since 1970.
        if field == .size { item.size = bytes.listedSize }
        if field == .mtime { item.modified = bytes.listedSize }
        field = .other
    }

    func boolean(_ value: Bool, depth: Int) {
        guard depth == 2 else { return noteUnknown(depth) }
        if field == .isFolder { item.isFolder = value }
        if field == .isLink { item.isLink = value }
        field = .other
    }

    func null(depth: Int) { noteUnknown(depth) }

    private func noteUnknown(_ depth: Int = 1) {
        if depth == 1 { draft.doubt("the list has something that is neither file nor folder") }
    }

    private func endItem() {
        // A link has the time of its own and may have its own size.
        let listed = item.isLink ? ListedFacts() : ListedFacts(size: item.size, modified: item.modified)
        if let url = item.url {
            addLink(url, listed)
        } else if let name = item.name, let names {
            let isFolder = item.type.elementsEqual("directory".utf8)
            // Neither file nor folder: a device, a link that leads nowhere.
            if item.type.elementsEqual("other".utf8) { return }
            guard isFolder || item.type.elementsEqual("file".utf8) else { return noteUnknown() }
            draft.add(NamedFile(name: name, isFolder: isFolder, listed: listed), names)
        } else {
            noteUnknown()
        }
    }

    /// Caddy's names lose what is not UTF-8; its links do not.
    private func addLink(_ url: [UInt8], _ listed: ListedFacts) {
        guard let scope, let address = frame.resolve(url) else {
            return draft.doubt("the list has a link that cannot be read")
        }
        guard case .below(let path, let hasSlash) = scope.position(of: address) else {
            return draft.doubt("the list has a link that does not lead below the folder")
        }
        if hasSlash || item.isFolder {
            draft.addFolder(hasSlash ? address : address.asFolder, path: path)
        } else {
            draft.add(address, path: path.map { $0 }, listed: listed)
        }
    }

    func listing() -> Listing { draft.listing }
}
