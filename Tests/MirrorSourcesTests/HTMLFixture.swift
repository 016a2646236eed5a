// The pages of real servers that lie in Listings, each with what is true of the folder that it lists.

import Foundation
import MirrorCore
import MirrorSources
import MirrorURL

/// One page and its truth.
struct HTMLFixture: CustomStringConvertible, Sendable {
    let server: String
    let page: String
    /// The rows of `expected.tsv` that belong to this page, by column.
    let truth: [[String: String]]
    /// Those of `links.tsv`.
    let links: [[String: String]]
    /// The port that the links were resolved with.
    private let port: Substring

    var description: String { "\(server)/\(page)" }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Listings")

    /// The folders of the served tree: their addresses and their names in the truth.
    private static let folders = [
        "tree": ("/tree/", "tree/"), "sub": ("/tree/sub/", "tree/sub/"),
        "emptydir": ("/tree/emptydir/", "tree/emptydir/"), "dirpct25": ("/tree/dir%2525/", "tree/dir%25/"),
        "dirutf8": ("/tree/%E6%97%A5%E6%9C%AC/", "tree/日本/"),
        "dirparam": ("/tree/dir%3Bp%3D1/", "tree/dir;p=1/"), "dircolon": ("/tree/dir%3Acolon/", "tree/dir:colon/"),
        "hostile": ("/hostile/", "hostile/"), "hdr": ("/hdr/", "hdr/"), "root": ("/", ""),
    ]

    static let all: [HTMLFixture] = {
        let servers = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return servers.sorted().flatMap { pages(of: $0) }
    }()

    private static func pages(of server: String) -> [HTMLFixture] {
        let place = folder.appendingPathComponent(server)
        let names = folders.keys.sorted().filter {
            FileManager.default.fileExists(atPath: place.appendingPathComponent("\($0).html").path)
        }
        guard !names.isEmpty else { return [] }
        let truth = tableRows(of: place.appendingPathComponent("expected.tsv"))
        let links = tableRows(of: place.appendingPathComponent("links.tsv"))
        let own = links.compactMap { $0["resolved_libcurl"] }.first { $0.hasPrefix("http://127.0.0.1:") }
        let port = own?.dropFirst(17).prefix { $0.isNumber } ?? "80"
        return names.map { name in
            HTMLFixture(
                server: server, page: name, truth: truth.filter { $0["listing"] == name },
                links: links.filter { $0["listing"] == name }, port: port)
        }
    }

    private func file(_ ending: String) -> URL {
        Self.folder.appendingPathComponent(server).appendingPathComponent("\(page).\(ending)")
    }

    var address: String { "http://127.0.0.1:\(port)" + (Self.folders[page]?.0 ?? "/") }
    /// How the truth calls the folder.
    var start: String { Self.folders[page]?.1 ?? "" }

    func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: file("html"))) }

    /// The charset of the answer.
    var charset: String? {
        let headers = (try? String(contentsOf: file("headers"), encoding: .utf8)) ?? ""
        guard let range = headers.range(of: "charset=", options: .caseInsensitive) else { return nil }
        return String(headers[range.upperBound...].prefix { !$0.isNewline && $0 != ";" })
    }

    func listing(pieces: Int = .max) throws -> Listing {
        try htmlListing(try bytes(), at: address, charset: charset, pieces: pieces)
    }
}

/// The rows of a tab-separated file whose first line names the columns.
func tableRows(of file: URL) -> [[String: String]] {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let lines = text.utf8.split(separator: 0x0A).map { line in
        line.split(separator: 0x09, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
    guard let columns = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(columns, $0)) { first, _ in first } }
}

/// Reads a page in pieces of so many bytes.
func htmlListing(
    _ bytes: [UInt8], at address: String?, charset: String? = nil, pieces: Int = .max, isWhole: Bool = true
) throws -> Listing {
    let address = try address.map { try URLParser().parse($0) }
    let reader = HTMLListingReader(context: DocumentContext(address: address, charset: charset, source: 3))
    bytes.withUnsafeBytes { bytes in
        var start = 0
        while start < bytes.count {
            let end = start + min(pieces, bytes.count - start)
            reader.read(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        }
    }
    return reader.finish(isWhole: isWhole)
}

func htmlListing(_ text: String, at address: String? = "http://h/d/", isWhole: Bool = true) throws -> Listing {
    try htmlListing(Array(text.utf8), at: address, isWhole: isWhole)
}

extension Listing {
    /// Paths of files, and of folders with a slash.
    var names: [String] { entries.map { $0.path?.text ?? "refused" } + folders.map { $0.path.text + "/" } }
    var addresses: [String] { entries.map(\.address.text) + folders.map(\.address.text) }
}
