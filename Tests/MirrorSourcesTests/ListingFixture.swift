import Foundation
import MirrorCore
import MirrorSources
import MirrorURL
import Testing

/// Answers of real servers, and what is true of them.
struct ListingFixture {
    let folder: String

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Listings")

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.root.appendingPathComponent(folder).appendingPathComponent(name)))
    }

    /// One line of the truth.
    struct Truth {
        var listing: String
        var name: [UInt8]
        var isFolder: Bool
        var isLink: Bool
        var size: Int64?
        var modified: Int64?
        var isListed: Bool
        var result: String
    }

    /// What the server really has in the folder of each page.
    func truth() throws -> [Truth] {
        let lines = try bytes("expected.tsv").split(separator: 0x0A).dropFirst()
        return lines.map { line in
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false).map { Array($0) }
            func text(_ index: Int) -> String { String(decoding: fields[index], as: UTF8.self) }
            let path = Self.unescaped(fields[1])
            let name = path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
            return Truth(
                listing: text(0), name: name, isFolder: text(2).hasPrefix("dir"), isLink: text(2).hasSuffix("symlink"),
                size: text(9) == "exact" ? Int64(text(3)) : nil,
                modified: text(11) == "exact-second" ? HTTPDate.iso(text(4))?.seconds : nil,
                isListed: text(5) == "yes", result: text(7))
        }
    }

    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
                result.append(byte)
                continue
            }
            switch kind {
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "x"), UInt8(ascii: "u"):
                let digits = rest.prefix(kind == UInt8(ascii: "x") ? 2 : 4)
                rest = rest.dropFirst(digits.count)
                let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
                if kind == UInt8(ascii: "x") {
                    result.append(UInt8(value))
                } else {
                    result += Array(String(Unicode.Scalar(value) ?? "?").utf8)
                }
            default: result.append(kind)
            }
        }
        return result
    }

    /// The URL of the folder that a page lists.
    static func page(_ listing: String) throws -> Address {
        let folders = [
            "root": "", "tree": "tree", "hdr": "hdr", "hostile": "hostile", "sub": "tree/sub",
            "emptydir": "tree/emptydir", "dirpct25": "tree/dir%25", "dirutf8": "tree/日本", "dirparam": "tree/dir;p=1",
            "dircolon": "tree/dir:colon",
        ]
        let origin = try address("http://127.0.0.1:8080/")
        let folder = try #require(folders[listing])
        if folder.isEmpty { return origin }
        return Array(folder.utf8).withUnsafeBytes {
            NameResolver(page: origin).address(of: $0[...], isFolder: true)
        }
    }
}

func address(_ url: String) throws -> Address { try URLParser().parse(url) }

/// Reads a document in pieces of one size.
func listing(
    _ bytes: [UInt8], by reader: some DocumentReader, piece: Int = .max, isWhole: Bool = true
) -> Listing {
    bytes.withUnsafeBytes { raw in
        var rest = raw[...]
        while !rest.isEmpty {
            reader.read(UnsafeRawBufferPointer(rebasing: rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
    }
    return reader.finish(isWhole: isWhole)
}

func xml(
    _ text: String, at url: String? = "http://h/pub/", piece: Int = .max, isWhole: Bool = true, layout: Layout = .name
) throws -> Listing {
    let context = DocumentContext(address: try url.map { try address($0) }, layout: layout)
    return listing(
        Array(text.utf8), by: XMLListingReader(context: context), piece: piece, isWhole: isWhole)
}

extension Listing {
    var urls: [String] { entries.map(\.address.text) }
    var paths: [String] {
        entries.map { entry in
            entry.options?.refusal.map { "refused: \($0.code.rawValue)" } ?? entry.path?.text ?? "?"
        }
    }
    var folderPaths: [String] { folders.map(\.path.text) }
    var partURLs: [String] { parts.map(\.address.text) }

    /// All that it says, as one text to compare.
    var summary: String {
        let lines = entries.map { entry in
            let path = entry.path?.text ?? entry.options?.refusal?.message ?? "?"
            let size = entry.listed.size.map(String.init) ?? "?", time = entry.listed.modified.map(String.init) ?? "?"
            let sum = entry.options?.checksum?.description ?? ""
            return "\(entry.address.text) \(path) \(size) \(time) \(sum)"
        }
        let folders = folders.map { "\($0.address.text) \($0.path.text)/" }
        let parts = parts.map { "\($0.address.text) \($0.size ?? -1) \($0.checksum?.description ?? "")" }
        return (lines + ["folders"] + folders + ["parts"] + parts + ["\(state)"]).joined(separator: "\n")
    }

    /// Compares with the truth of one page.
    func expectTruth(of truth: [ListingFixture.Truth], at page: Address, hasFacts: Bool = true) throws {
        var wanted: [String] = []
        var found: [String] = []
        for item in truth {
            let isFolder = item.isFolder && item.result != "ok-redirect"
            let (url, path) = try item.name.withUnsafeBytes { raw in
                (
                    NameResolver(page: page).address(of: raw[...], isFolder: isFolder),
                    try NameResolver.path(of: raw[...])
                )
            }
            let size = isFolder || !hasFacts ? nil : item.size, time = isFolder || !hasFacts ? nil : item.modified
            wanted.append(Self.line(url, path, size, time))
        }
        let exact = Dictionary(uniqueKeysWithValues: zip(truth.map(\.name), truth))
        for entry in entries {
            let name = Array(entry.address.lastSegment.utf8).percentDecoded()
            let item = exact[name]
            // What the truth does not call exact is not compared.
            let size = item?.size == nil ? nil : entry.listed.size
            let time = item?.modified == nil ? nil : entry.listed.modified
            found.append(Self.line(entry.address, try #require(entry.path), size, time))
        }
        for folder in folders { found.append(Self.line(folder.address, folder.path, nil, nil)) }
        #expect(Set(found).subtracting(wanted) == [])
        #expect(Set(wanted).subtracting(found) == [])
        #expect(found.count == wanted.count)
    }

    private static func line(_ url: Address, _ path: LocalPath, _ size: Int64?, _ time: Int64?) -> String {
        // Servers escape more or less; what counts is what the escapes stand for.
        let bytes = Array(url.path.utf8).percentDecoded().percentEncoded()
        let text = String(decoding: bytes, as: UTF8.self)
        return "\(text) \(Array(path.text.utf8)) \(size ?? -1) \(time ?? -1)"
    }
}
