// Puts decompression in front of any reader. What is compressed shows it in its first bytes; names and media types
// promise nothing.

/// Reads a document that may be compressed.
package final class DecompressingReader: DocumentReader {
    /// What every document may grow to, in bytes, and by how many times its size a larger one. Lists of files are
    /// packed to a tenth or a fiftieth; what grows beyond this is made to fill memory.
    private static let freeSize = 16 << 20
    private static let ratio = 200

    private let reader: any DocumentReader
    private var head: [UInt8] = []
    private var isKnown = false
    private var decoder: (any StreamDecoder)?
    private var size = 0
    private var unpackedSize = 0
    private var problem: String?
    private var isBomb = false

    package init(_ reader: any DocumentReader) { self.reader = reader }

    package func read(_ bytes: UnsafeRawBufferPointer) {
        if isKnown { return pass(bytes) }
        head.append(contentsOf: bytes)
        if head.count >= CompressedForm.longestMark { begin() }
    }

    package func finish(isWhole: Bool) -> Listing {
        if !isKnown { begin() }
        if isBomb {
            return Listing(state: .failed("unpacked it grows to more than \(Self.ratio) times its size"))
        }
        if problem == nil, let decoder, !decoder.isAtEnd { problem = "its compressed data end early" }
        var listing = reader.finish(isWhole: isWhole && problem == nil)
        if let problem, isWhole, case .incomplete = listing.state { listing.state = .incomplete(problem) }
        return listing
    }

    private func begin() {
        isKnown = true
        decoder = CompressedForm(head: head).map { $0.decoder }
        let start = head
        head = []
        start.withUnsafeBytes { pass($0) }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) {
        guard let decoder else { return reader.read(bytes) }
        guard problem == nil, !isBomb, !bytes.isEmpty else { return }
        size += bytes.count
        if !decoder.decode(bytes, to: { take($0) }) { problem = "its compressed data are damaged" }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unpackedSize += bytes.count
        isBomb = unpackedSize > Self.freeSize + Self.ratio * size
        if !isBomb { reader.read(bytes) }
        return !isBomb
    }
}

/// The compressed forms that documents come in.
package enum CompressedForm: CaseIterable {
    case gzip, zstd, xz

    static let longestMark = 6

    private var mark: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B, 0x08]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
        }
    }

    /// The form that the first bytes show; nil where they are not compressed.
    package init?(head: [UInt8]) {
        guard let found = Self.allCases.first(where: { head.starts(with: $0.mark) }) else { return nil }
        self = found
    }

    var decoder: any StreamDecoder {
        switch self {
        case .gzip: GzipDecoder()
        case .zstd: ZstdDecoder()
        case .xz: XZDecoder()
        }
    }
}
