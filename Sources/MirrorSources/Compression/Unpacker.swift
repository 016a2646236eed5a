// Puts decompression in front of whatever reads a document. What is compressed shows it in its first bytes; names and
// media types promise nothing.

/// Unpacks a document that may be compressed.
package final class Unpacker {
    /// How a document ended.
    package enum End: Equatable, Sendable {
        case whole
        /// What came out is true as far as it goes. One sentence without final stop.
        case cut(String)
        /// Nothing of it is to be used. One sentence without final stop.
        case refused(String)
    }

    /// What every document may grow to, in bytes, and by how many times its size a larger one. Lists of files are
    /// packed to a tenth or a fiftieth; what grows beyond this is made to fill memory.
    private static let freeSize = 16 << 20
    private static let ratio = 200

    private var head: [UInt8] = []
    private var isKnown = false
    private var decoder: (any StreamDecoder)?
    private var size = 0
    private var unpackedSize = 0
    private var problem: String?
    private var isBomb = false

    package init() {}

    /// - Parameter sink: gets the unpacked bytes; they are valid during the call only.
    package func read(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Void) {
        if isKnown { return pass(bytes, to: sink) }
        head.append(contentsOf: bytes)
        if head.count >= CompressedForm.longestMark { begin(sink) }
    }

    /// To be called once, when nothing more comes.
    package func finish(to sink: (UnsafeRawBufferPointer) -> Void) -> End {
        if !isKnown { begin(sink) }
        if isBomb { return .refused("unpacked it grows to more than \(Self.ratio) times its size") }
        if problem == nil, let decoder, !decoder.isAtEnd { problem = "its compressed data end early" }
        return problem.map { .cut($0) } ?? .whole
    }

    private func begin(_ sink: (UnsafeRawBufferPointer) -> Void) {
        isKnown = true
        decoder = CompressedForm(head: head).map { $0.decoder }
        let start = head
        head = []
        start.withUnsafeBytes { pass($0, to: sink) }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Void) {
        guard let decoder else { return sink(bytes) }
        guard problem == nil, !isBomb, !bytes.isEmpty else { return }
        size += bytes.count
        if !decoder.decode(bytes, to: { take($0, sink) }) { problem = "its compressed data are damaged" }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Void) -> Bool {
        unpackedSize += bytes.count
        isBomb = unpackedSize > Self.freeSize + Self.ratio * size
        if !isBomb { sink(bytes) }
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
