// Metalink 3 (metalinker.org) and 4 (RFC 5854): elements are told by their local names, for namespaces in the wild
// differ, and by their parents, for a hash can be of the file, of a piece or of another version.

import MirrorCore
import MirrorURL

/// Reads `<metalink>`.
final class MetalinkForm: XMLForm {
    private var draft: ListingDraft
    private let frame: ReferenceFrame
    private var file: MetalinkFile?
    private var type: [UInt8]?
    private var priority: [UInt8]?
    private var preference: [UInt8]?
    private var pieces: PieceSums?

    init(_ context: DocumentContext) {
        draft = ListingDraft(context)
        frame = ReferenceFrame(page: context.address)
    }

    func start(_ element: XMLElement) {
        let name = element.name
        if name.is("file"), element.parent?.is("metalink") == true || element.parent?.is("files") == true {
            file = MetalinkFile()
            file?.name = element.attribute("name") ?? []
        } else if name.is("hash") {
            type = element.attribute("type")
            // Version 3 counts the pieces. In another order they would belong to other bytes.
            if let number = element.attribute("piece")?.listedSize, number != pieces.map({ Int64($0.count) }) {
                pieces = nil
            }
        } else if name.is("url") {
            priority = element.attribute("priority")
            preference = element.attribute("preference")
        } else if name.is("pieces"), Self.isOfFile(element.parent) {
            pieces = Self.pieces(element)
        }
    }

    /// Version 4 has hashes in the file, version 3 in its verification.
    private static func isOfFile(_ parent: XMLName?) -> Bool {
        parent.map { $0.is("file") || $0.is("verification") } ?? false
    }

    private static func pieces(_ element: XMLElement) -> PieceSums? {
        guard let length = element.attribute("length")?.listedSize, length > 0,
            let type = element.attribute("type"),
            let algorithm = ChecksumAlgorithm(named: String(decoding: type, as: UTF8.self))
        else { return nil }
        return PieceSums(algorithm: algorithm, length: length)
    }

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        guard file != nil, let parent else { return }
        if name.is("hash") {
            endHash(parent, depth, text)
        } else if name.is("size"), parent.is("file") {
            file?.size = text.listedSize
        } else if name.is("url"), parent.is("file") || parent.is("resources") {
            if let address = frame.resolve(text) {
                file?.take(address, priority: priority, preference: preference)
            }
        } else if name.is("pieces"), Self.isOfFile(parent) {
            endPieces()
        } else if name.is("file"), parent.is("metalink") || parent.is("files") {
            endFile()
        }
    }

    private func endHash(_ parent: XMLName, _ depth: Int, _ text: [UInt8]) {
        let hex = String(decoding: text.trimmed, as: UTF8.self)
        if parent.is("pieces") {
            if pieces?.append(hex: hex) == false { pieces = nil }
        } else if parent.is("file") || (parent.is("verification") && depth == 5) {
            guard let type, let algorithm = ChecksumAlgorithm(named: String(decoding: type, as: UTF8.self))
            else { return }
            file?.take(try? Checksum(algorithm: algorithm, hex: hex))
        }
    }

    private func endPieces() {
        guard let found = pieces else { return }
        pieces = nil
        // Of several lists the first one stays.
        if file?.pieces == nil { file?.pieces = found }
    }

    private func endFile() {
        defer { file = nil }
        guard var file else { return }
        // The size may come behind the pieces; those that do not fit it prove nothing.
        if let pieces = file.pieces, file.size.map(pieces.fits) != true { file.pieces = nil }
        let addresses = file.addresses
        guard let first = addresses.first else {
            let name = String(decoding: file.name.prefix(200), as: UTF8.self)
            return draft.doubt("the file «\(name)» has no URL that can be fetched")
        }
        draft.add(
            first, path: file.path, name: file.name, listed: ListedFacts(size: file.size), options: file.options,
            alternates: Array(addresses.dropFirst()))
    }

    func listing() -> Listing {
        if draft.listing.entries.isEmpty { draft.fail("it names no file that can be fetched") }
        return draft.listing
    }
}
