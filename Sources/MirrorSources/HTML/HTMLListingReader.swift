// Reads an index page: any HTML page whose links are the files. Links are the truth; sizes and times beside them are
// facts only where a known server writes them exactly.

import MirrorCore

/// Reads one HTML page, in pieces of any length.
package final class HTMLListingReader: DocumentReader {
    /// A tag, text or comment without an end is kept until it has one, to this many bytes.
    private static let longestPart = 4 << 20
    /// Enough of the end of a page to find its last tag.
    private static let endLength = 512

    /// What the parser is given at once. libxml2 reads broken markup differently where it is cut, so that the cuts must
    /// not depend on how the page arrived.
    private static let blockLength = 32_768

    private let parser: HTMLParser
    private var input: HTMLInput
    private var end: [UInt8] = []
    /// Bytes that do not yet fill a block.
    private var block: [UInt8] = []
    private var limit: String?

    package init(context: DocumentContext) {
        parser = HTMLParser(reading: HTMLReading(context: context))
        input = HTMLInput(charset: context.charset)
    }

    package func read(_ bytes: UnsafeRawBufferPointer) {
        end += bytes[max(bytes.count - Self.endLength, 0)...]
        end.removeFirst(max(end.count - Self.endLength, 0))
        var rest = bytes[...]
        while limit == nil, !rest.isEmpty {
            if block.isEmpty, rest.count >= Self.blockLength {
                take(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockLength)))
                rest = rest.dropFirst(Self.blockLength)
            } else {
                let part = rest.prefix(Self.blockLength - block.count)
                block.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
                rest = rest.dropFirst(part.count)
                if block.count == Self.blockLength { takeBlock() }
            }
        }
    }

    private func takeBlock() {
        let bytes = block
        block.removeAll(keepingCapacity: true)
        bytes.withUnsafeBytes { take($0) }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        input.take(bytes) { parse($0) }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) {
        guard limit == nil else { return }
        parser.parse(bytes)
        if parser.unread.count > Self.longestPart {
            limit = "it has a tag, a text or a comment of more than \(Self.longestPart >> 20) MiB"
        } else if parser.hasTooManyNames {
            limit = "it has too many names of elements"
        } else {
            limit = parser.reading.limit
        }
    }

    package func finish(isWhole: Bool) -> Listing {
        guard parser.isUsable else { return Listing(state: .failed("there is no memory to read the page")) }
        if limit == nil { takeBlock() }
        input.finish { parse($0) }
        if limit == nil { parser.flush() }
        let hidden = hiddenRest
        if limit == nil { parser.finish() }
        let server = parser.reading.finish()
        let reading = parser.reading
        guard reading.links.hasBase else {
            return Listing(state: .failed("it is not known where the page came from: --base URL tells it"))
        }
        var verdict = reading.links.verdict
        verdict.server = server
        verdict.isWhole = isWhole
        verdict.limit = limit.map { "the page was not read to its end: \($0)" }
        verdict.hidden = hidden
        // An unknown page is empty only if it is whole.
        let ending = server.map { $0.ending(reading.marks) } ?? (verdict.named == 0 ? "</html" : nil)
        verdict.hasEnding = ending.map { hasEnding($0) } ?? true
        verdict.scripts = reading.scripts
        verdict.asksForPassword = reading.asksForPassword
        var listing = reading.links.listing
        listing.state = verdict.state
        listing.tellsFoldersApart = server?.marksFolders ?? false
        return listing
    }

    /// What the page leaves open at its end, so that links may be lost in it.
    private var hiddenRest: String? {
        if limit != nil { return nil }
        if let element = parser.rawElement { return "a <\(element)> without an end hides the rest of the page" }
        return Self.isOpen(parser.unread) ? "the page ends inside a tag or a comment" : nil
    }

    /// Whether what the parser has kept is the start of a tag or comment. It may also keep a whole one.
    private static func isOpen(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.first == UInt8(ascii: "<") else { return false }
        guard bytes.starts(with: "<!--".utf8) else { return !bytes.contains(UInt8(ascii: ">")) }
        return !bytes.indices.contains { bytes[$0...].starts(with: "-->".utf8) }
    }

    private func hasEnding(_ mark: String) -> Bool {
        let mark = Array(mark.utf8)
        let text = end.map(\.asciiLowercased)
        return text.indices.contains { text[$0...].starts(with: mark) }
    }
}
