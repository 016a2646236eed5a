// What FTP servers answer to LIST: lines as `ls -l` writes them, which no document describes and nearly all servers send.
// Names and sizes are exact; times are in the server's zone and often without a year, so that they count for nothing.

import MirrorCore
import MirrorURL

/// Reads the list of a folder of an FTP server.
final class FTPListReader: DocumentReader {
    /// Longer than any line with a name that a file system takes.
    private static let longestLine = 65_536

    private var draft: ListingDraft
    private let names: NameResolver?
    private var line: [UInt8] = []
    private var isTooLong = false
    private var hasReadableLine = false

    init(context: DocumentContext) {
        draft = ListingDraft(context)
        names = context.address.map { NameResolver(page: $0) }
        if names == nil { draft.fail(NamedFile.noBase) }
    }

    func read(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                endLine()
            } else if line.count < Self.longestLine {
                line.append(byte)
            } else {
                isTooLong = true
            }
        }
    }

    func finish(isWhole: Bool) -> Listing {
        if isWhole {
            endLine()
        } else {
            // The last name may be cut, and would be another file's.
            draft.doubt("it ends early")
        }
        if !hasReadableLine, case .incomplete = draft.listing.state, isWhole {
            draft.fail("the server lists its files in a form that is not known")
        }
        return draft.listing
    }

    private func endLine() {
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        // How many blocks the files take.
        if line.isEmpty || line.starts(with: "total ".utf8) { return }
        guard !isTooLong, let entry = FTPListLine(line) else {
            return draft.doubt("the server's list has a line that cannot be read")
        }
        hasReadableLine = true
        take(entry)
    }

    private func take(_ entry: FTPListLine) {
        guard let names, !entry.name.elementsEqual(".".utf8), !entry.name.elementsEqual("..".utf8) else { return }
        switch entry.kind {
        case .file, .folder:
            draft.add(
                NamedFile(
                    name: Array(entry.name), isFolder: entry.kind == .folder, listed: ListedFacts(size: entry.size)),
                names)
        case .link:
            // The list does not say whether it leads to a file, to a folder or to one that it lies in.
            let name = String(decoding: entry.name, as: UTF8.self).unicodeScalars
                .map { $0.properties.generalCategory == .control ? "?" : String($0) }.joined()
            draft.warn("a symbolic link is passed over: «\(name)»")
        case .other: break
        }
    }
}

/// One line, as `ls -l` writes it.
struct FTPListLine {
    enum Kind { case file, folder, link, other }

    let kind: Kind
    /// Bytes, of a file.
    let size: Int64?
    let name: ArraySlice<UInt8>

    /// Nil where the line is none of that kind.
    init?(_ line: [UInt8]) {
        guard let kind = line.first.flatMap(Self.kind) else { return nil }
        self.kind = kind
        // Mode, links, owner, group, size, month, day, time or year: an owner may have a blank in his name, so that the
        // month is looked for.
        let fields = Self.fields(line)
        let month = fields.indices.first { index in
            index >= 3 && index + 2 < fields.count && Self.isMonth(line[fields[index]])
                && Self.isDay(line[fields[index + 1]]) && Self.isTimeOrYear(line[fields[index + 2]])
                && (line[fields[index - 1]].listedSize != nil || kind != .file)
        }
        guard let month else { return nil }
        size = kind == .file ? line[fields[month - 1]].listedSize : nil
        // One blank: all others are of the name.
        let end = fields[month + 2].upperBound
        guard end + 1 < line.count else { return nil }
        name = line[(end + 1)...]
    }

    private static func kind(_ mark: UInt8) -> Kind? {
        switch mark {
        case UInt8(ascii: "-"): .file
        case UInt8(ascii: "d"): .folder
        case UInt8(ascii: "l"): .link
        case UInt8(ascii: "b"), UInt8(ascii: "c"), UInt8(ascii: "p"), UInt8(ascii: "s"): .other
        default: nil
        }
    }

    /// The words of a line, as many as can stand before the name.
    private static func fields(_ line: [UInt8]) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        var index = 0
        while index < line.count, fields.count < 16 {
            while index < line.count, line[index] == UInt8(ascii: " ") { index += 1 }
            let start = index
            while index < line.count, line[index] != UInt8(ascii: " ") { index += 1 }
            if index > start { fields.append(start..<index) }
        }
        return fields
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func isMonth(_ word: ArraySlice<UInt8>) -> Bool {
        months.contains { $0.utf8.elementsEqual(word.map { $0 | 0x20 }) }
    }

    private static func isDay(_ word: ArraySlice<UInt8>) -> Bool {
        word.listedSize.map { (1...31).contains($0) } ?? false
    }

    /// `23:59` or `2024`.
    private static func isTimeOrYear(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count <= 2 && (4...5).contains(word.count) && parts.allSatisfy { $0.listedSize != nil }
    }
}
