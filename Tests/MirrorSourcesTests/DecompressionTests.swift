import MirrorCore
import MirrorSources
import Testing

import struct MirrorTestSupport.Mutations

/// Compressed documents of any form.
struct DecompressionTests {
    private static let text = "<urlset><url><loc>https://h/a</loc></url><url><loc>https://h/b</loc></url></urlset>"

    /// The text above, packed by gzip, zstd and xz.
    private static let packed: [String: [UInt8]] = [
        "gzip": [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xB3, 0x29, 0x2D, 0xCA, 0x29, 0x4E, 0x2D,
            0xB1, 0xB3, 0x01, 0xD2, 0x76, 0x36, 0x39, 0xF9, 0xC9, 0x76, 0x19, 0x25, 0x25, 0x05, 0xC5, 0x56, 0xFA,
            0xFA, 0x19, 0xFA, 0x89, 0x36, 0xFA, 0x20, 0x01, 0x1B, 0x7D, 0xB0, 0x1C, 0x16, 0x05, 0x49, 0x28, 0x0A,
            0xF4, 0xA1, 0x46, 0x01, 0x00, 0x4C, 0x8A, 0xF9, 0x3A, 0x53, 0x00, 0x00, 0x00,
        ],
        "zstd": [
            0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0xD5, 0x01, 0x00, 0xE4, 0x02, 0x3C, 0x75, 0x72, 0x6C, 0x73, 0x65,
            0x74, 0x3E, 0x3C, 0x75, 0x72, 0x6C, 0x3E, 0x3C, 0x6C, 0x6F, 0x63, 0x3E, 0x68, 0x74, 0x74, 0x70, 0x73,
            0x3A, 0x2F, 0x2F, 0x68, 0x2F, 0x61, 0x3C, 0x2F, 0x6C, 0x6F, 0x63, 0x3E, 0x3C, 0x2F, 0x62, 0x2F, 0x75,
            0x72, 0x6C, 0x73, 0x65, 0x74, 0x3E, 0x03, 0x00, 0xE0, 0x10, 0xA2, 0x12, 0xF4, 0xAF, 0xF9, 0x04,
        ],
        "xz": [
            0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00, 0x04, 0xE6, 0xD6, 0xB4, 0x46, 0x02, 0x00, 0x21, 0x01, 0x16,
            0x00, 0x00, 0x00, 0x74, 0x2F, 0xE5, 0xA3, 0xE0, 0x00, 0x52, 0x00, 0x2E, 0x5D, 0x00, 0x1E, 0x1D, 0x4A,
            0x46, 0xDE, 0x9A, 0x1F, 0x3D, 0xBE, 0x3E, 0x59, 0x00, 0xCA, 0x2A, 0xFC, 0x1F, 0xD9, 0xC6, 0xAD, 0x76,
            0x9C, 0xC1, 0x1E, 0xD1, 0xA0, 0xD4, 0x09, 0x98, 0x19, 0x21, 0x13, 0x48, 0xCF, 0x8F, 0xE5, 0x7C, 0xF2,
            0xF2, 0x54, 0x00, 0xB2, 0x18, 0x55, 0x8D, 0x40, 0x00, 0x00, 0x00, 0x00, 0xBC, 0x6B, 0x05, 0x8A, 0x91,
            0x99, 0x97, 0x8D, 0x00, 0x01, 0x4A, 0x53, 0xEA, 0x12, 0x72, 0xD8, 0x1F, 0xB6, 0xF3, 0x7D, 0x01, 0x00,
            0x00, 0x00, 0x00, 0x04, 0x59, 0x5A,
        ],
    ]

    private func read(_ bytes: [UInt8], piece: Int = .max, isWhole: Bool = true) throws -> Listing {
        let context = DocumentContext(address: try address("http://h/sitemap.xml"))
        return listing(
            bytes, by: UnpackingReader(XMLListingReader(context: context)), piece: piece, isWhole: isWhole)
    }

    private func bytes(_ form: String) throws -> [UInt8] { try #require(Self.packed[form]) }

    @Test(arguments: ["gzip", "zstd", "xz"], [1, 2, 7, Int.max])
    func `documents are unpacked in pieces`(_ form: String, _ piece: Int) throws {
        let listing = try read(try bytes(form), piece: piece)
        #expect(listing.state == .complete)
        #expect(listing.urls == ["https://h/a", "https://h/b"])
        #expect(try read(Array(Self.text.utf8), piece: piece).summary == listing.summary)
    }

    @Test(arguments: ["gzip", "zstd", "xz"])
    func `several members are one document`(_ form: String) throws {
        let context = DocumentContext(address: try address("http://h/SUMS"))
        let twice = listing(
            try bytes(form) + bytes(form), by: UnpackingReader(Counter(context: context)), piece: 5)
        #expect(twice.warnings == ["\(Self.text.utf8.count * 2) bytes, whole"])
    }

    @Test(arguments: ["gzip", "zstd", "xz"])
    func `a cut stream is incomplete at every length`(_ form: String) throws {
        let bytes = try bytes(form)
        for end in 0..<bytes.count {
            #expect(try read(Array(bytes.prefix(end))).state != .complete, "\(end)")
        }
        #expect(try read(bytes, isWhole: false).state == .incomplete("it ends early"))
    }

    @Test(arguments: ["gzip", "zstd", "xz"])
    func `damage never makes a complete listing of other names`(_ form: String) throws {
        var random = Mutations(seed: 99)
        let bytes = try bytes(form)
        for _ in 0..<500 {
            let damaged = random.mutated(bytes)
            let listing = try read(damaged, piece: 1 + random.next(below: 30))
            // zstd has no checksum here, so a changed byte of a name goes through.
            if listing.state == .complete, form != "zstd" { #expect(listing.urls == ["https://h/a", "https://h/b"]) }
        }
        #expect(try read(bytes + [1, 2, 3, 4, 5, 6, 7, 8]).state != .complete)
    }

    @Test func `a document that grows beyond measure is refused`() throws {
        let bomb = Self.bomb
        let reader = Counter(context: DocumentContext(address: nil))
        let filter = UnpackingReader(reader)
        for _ in 0..<2_000 { bomb.withUnsafeBytes { filter.read($0) } }
        #expect(filter.finish(isWhole: true).state == .failed("unpacked it grows to more than 200 times its size"))
        #expect(reader.count < 200 << 20)
    }

    /// A gzip member of a million zeros.
    private static let bomb: [UInt8] =
        [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x01, 0x01, 0x00,
            0x00, 0x00, 0x82, 0x20, 0xFF, 0xAF, 0x6E, 0x48, 0x40, 0x01,
        ] + [UInt8](repeating: 0, count: 968) + [0xAF, 0x06, 0x9E, 0xCB, 0x79, 0x12, 0x40, 0x42, 0x0F, 0x00]

    /// Counts what it is given.
    final class Counter: DocumentReader {
        private(set) var count = 0

        init(context: DocumentContext) {}

        func read(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }

        func finish(isWhole: Bool) -> Listing {
            var listing = Listing()
            listing.warnings = ["\(count) bytes, \(isWhole ? "whole" : "cut")"]
            return listing
        }
    }
}

/// A reader behind an unpacker, as a source has it.
private final class UnpackingReader: DocumentReader {
    private let reader: any DocumentReader
    private let unpacker = Unpacker()

    init(_ reader: any DocumentReader) { self.reader = reader }

    func read(_ bytes: UnsafeRawBufferPointer) { unpacker.read(bytes) { reader.read($0) } }

    func finish(isWhole: Bool) -> Listing {
        let end = unpacker.finish { reader.read($0) }
        return reader.finish(isWhole: isWhole, unpacked: end)
    }
}
