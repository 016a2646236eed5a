// Lists of Python packages in JSON (PEP 691): one object with the files of a package, or with the packages there are.

import MirrorCore
import MirrorURL

/// Reads `application/vnd.pypi.simple.v1+json`.
final class PackageListReader: DocumentReader {
    private let receiver: PackageListReceiver
    private let events: JSONEvents

    init(context: DocumentContext) {
        receiver = PackageListReceiver(context)
        events = JSONEvents(receiver: receiver)
    }

    func read(_ bytes: UnsafeRawBufferPointer) { events.read(bytes) }

    func finish(isWhole: Bool) -> Listing {
        events.finish()
        guard receiver.isPackageList else {
            return Listing(state: .failed(events.doubt ?? "a JSON object is no listing that is known"))
        }
        var listing = receiver.listing()
        let doubt = isWhole ? events.doubt : "it ends early"
        if let doubt, listing.state == .complete { listing.state = .incomplete(doubt) }
        return listing
    }
}

/// Makes entries of the files and folders of the packages. Depth 1 is the document, 2 its lists, 3 a file or package, 4
/// the checksums of a file.
private final class PackageListReceiver: JSONReceiver {
    private enum Section { case meta, files, packages, other }
    private enum Key { case url, name, size, hashes, other }

    private struct Item {
        var url: [UInt8]?
        var name: [UInt8]?
        var size: Int64?
        var checksum: Checksum?
    }

    private var draft: ListingDraft
    private let frame: ReferenceFrame
    private let names: NameResolver?
    private var section = Section.other
    private var field = Key.other
    private var algorithm: ChecksumAlgorithm?
    private var item = Item()
    private var filesElsewhere = 0
    private var hasVersion = false
    private var hasList = false

    /// Every such list says which version of the form it has.
    var isPackageList: Bool { hasVersion && hasList }

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        frame = ReferenceFrame(page: context.address)
        names = context.address.map { NameResolver(page: $0) }
        if context.address == nil { draft.fail(NamedFile.noBase) }
    }

    func beginContainer(isArray: Bool, depth: Int) {
        if depth == 2, isArray, section == .files || section == .packages { hasList = true }
        if depth == 3, !isArray { item = Item() }
    }

    func endContainer(depth: Int) {
        guard depth == 3 else { return }
        field = .other
        switch section {
        case .files: endFile()
        case .packages: endPackage()
        case .meta, .other: break
        }
    }

    func key(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
        switch depth {
        case 1: section = Self.section(bytes)
        case 2: if section == .meta, bytes.elementsEqual("api-version".utf8) { hasVersion = true }
        case 3: field = Self.key(bytes)
        case 4: algorithm = ChecksumAlgorithm(named: String(decoding: bytes, as: UTF8.self))
        default: break
        }
    }

    private static func section(_ name: UnsafeBufferPointer<UInt8>) -> Section {
        if name.elementsEqual("meta".utf8) { return .meta }
        if name.elementsEqual("files".utf8) { return .files }
        return name.elementsEqual("projects".utf8) ? .packages : .other
    }

    private static func key(_ name: UnsafeBufferPointer<UInt8>) -> Key {
        if name.elementsEqual("url".utf8) { return .url }
        if name.elementsEqual("name".utf8) { return .name }
        if name.elementsEqual("size".utf8) { return .size }
        return name.elementsEqual("hashes".utf8) ? .hashes : .other
    }

    func string(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
        if depth == 4, field == .hashes { return take(hex: String(decoding: bytes, as: UTF8.self)) }
        guard depth == 3 else { return noteUnknown(depth) }
        if field == .url { item.url = Array(bytes) }
        if field == .name { item.name = Array(bytes) }
    }

    /// Keeps the strongest one.
    private func take(hex: String) {
        let order = ChecksumAlgorithm.allCases
        guard let algorithm, let found = try? Checksum(algorithm: algorithm, hex: hex),
            let rank = order.firstIndex(of: algorithm)
        else { return }
        if let held = item.checksum.flatMap({ order.firstIndex(of: $0.algorithm) }), held <= rank { return }
        item.checksum = found
    }

    func number(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
        if depth == 3, field == .size { item.size = bytes.listedSize }
        noteUnknown(depth)
    }

    func boolean(_ value: Bool, depth: Int) { noteUnknown(depth) }

    func null(depth: Int) { noteUnknown(depth) }

    private func noteUnknown(_ depth: Int) {
        guard depth == 2, section == .files || section == .packages else { return }
        draft.doubt("the list has something that is neither file nor package")
    }

    /// Files may lie in any folder of the server: PyPI itself has them on another one, which is never gone to.
    private func endFile() {
        guard let url = item.url, let address = frame.resolve(url) else {
            return draft.doubt("the list has a file whose link cannot be read")
        }
        guard address.origin == frame.page?.origin else {
            filesElsewhere += 1
            return
        }
        let options = item.checksum.map { EntryOptions(checksum: $0) }
        draft.add(
            address, path: ListingDraft.path(of: address, layout: .name), name: url,
            listed: ListedFacts(size: item.size), options: options)
    }

    private func endPackage() {
        guard let name = item.name, !name.isEmpty, let names else {
            return draft.doubt("the list has a package without a name")
        }
        draft.add(NamedFile(name: Self.normal(name), isFolder: true, listed: ListedFacts()), names)
    }

    /// The name that the package's own list has (PEP 503): small letters, and one hyphen for each run of `-`, `_` and `.`.
    private static func normal(_ name: [UInt8]) -> [UInt8] {
        var normal: [UInt8] = []
        for byte in name {
            if !"-_.".utf8.contains(byte) {
                normal.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            } else if normal.last != UInt8(ascii: "-") {
                normal.append(UInt8(ascii: "-"))
            }
        }
        return normal
    }

    func listing() -> Listing {
        if filesElsewhere > 0 { draft.doubt("\(filesElsewhere) of its files lie on another server") }
        return draft.listing
    }
}
