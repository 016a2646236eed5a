// The text beside a link, and what it says exactly of the file. Only columns whose meaning was seen on the real server
// are read; a header, a description or a page of an unknown server is never taken for a size.

import MirrorCore

/// One row of an index page.
package struct IndexRow: Sendable {
    /// Where the columns stand.
    enum Layout: Sendable {
        /// No column is of use.
        case none
        /// Behind the link, to the end of the line.
        case behind
        /// Before the link, from the start of the line.
        case before
        /// In the cells of a table row.
        case cells
    }

    /// Between two cells of `text`.
    package static let cellMark: UInt8 = 0x1F
    /// More text than any row has, in bytes.
    private static let longest = 512

    /// The text without that of the link.
    package var text: [UInt8] = []
    /// The cell with the link, from 0.
    package var linkCell = 0
    /// The size of the row in an attribute, as Caddy and rclone write it.
    package var order: Int64?
    /// The time of the row in an attribute.
    package var time: ShownTime?
    /// Whether an icon marks a symbolic link. Its time is that of the link itself.
    package var isShortcut = false
    private var isTooLong = false

    package init() {}

    mutating func clear() {
        text.removeAll(keepingCapacity: true)
        linkCell = 0
        order = nil
        time = nil
        isShortcut = false
        isTooLong = false
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isTooLong, text.count + bytes.count <= Self.longest else { return isTooLong = true }
        text.append(contentsOf: bytes)
    }

    mutating func startCell() { append1(Self.cellMark) }

    mutating func startLink() { linkCell = max(text.count { $0 == Self.cellMark } - 1, 0) }

    private mutating func append1(_ byte: UInt8) {
        guard !isTooLong, text.count < Self.longest else { return isTooLong = true }
        text.append(byte)
    }

    /// What the row says of its file to the last byte and second.
    package func facts(by server: IndexServer) -> ListedFacts {
        if server == .caddy || server == .rclone {
            let size = order.flatMap { $0 >= 0 ? $0 : nil }
            return ListedFacts(size: size, modified: isShortcut ? nil : time?.exactSeconds)
        }
        if isTooLong { return ListedFacts() }
        switch server {
        case .nginx, .darkhttpd:
            return sizeBehindTime(allowsMore: false)
        case .apache:
            return apacheFacts
        case .fancyindex:
            let cells = cells
            return cells.count == 3 && linkCell == 0 ? Self.size(cells[1]) : ListedFacts()
        case .jetty:
            // A file that Jetty cannot read has no time and the size 0.
            let cells = cells
            guard cells.count == 3, linkCell == 0, ShownTime.parse(cells[1]) != nil else { return ListedFacts() }
            return Self.size(cells[2])
        case .tomcat:
            let cells = cells
            guard cells.count == 3, linkCell == 0 else { return ListedFacts() }
            return ListedFacts(modified: ShownTime.parse(cells[2])?.exactSeconds)
        case .webfs:
            // -rw-r--r--  root  root  Feb 29  2024   207  B
            let words = words
            guard words.count == 8, words[0].count == 10, words[0].first == UInt8(ascii: "-"),
                words[7].elementsEqual("B".utf8)
            else { return ListedFacts() }
            return Self.size(words[6])
        default:
            return ListedFacts()
        }
    }

    /// Name, time, size, description: the last one is any text, so that the places before it decide. A table may have
    /// an icon in front.
    private var apacheFacts: ListedFacts {
        if text.contains(Self.cellMark) {
            let cells = cells
            guard cells.count >= linkCell + 3, Self.isMinute(cells[linkCell + 1]) else { return ListedFacts() }
            return Self.size(cells[linkCell + 2])
        }
        return sizeBehindTime(allowsMore: true)
    }

    /// Date, time and size behind the link, and nothing more unless a description may follow.
    private func sizeBehindTime(allowsMore: Bool) -> ListedFacts {
        text.withUnsafeBytes { bytes in
            var rest = bytes[...]
            let date = Self.word(&rest), time = Self.word(&rest), size = Self.word(&rest)
            guard Self.isMinute(date, time), allowsMore || Self.word(&rest).isEmpty else { return ListedFacts() }
            return Self.size(size)
        }
    }

    /// Takes the next word; empty at the end.
    private static func word(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let bytes = rest.base
        var start = rest.startIndex
        while start < rest.endIndex, bytes[start] <= 0x20 { start += 1 }
        var end = start
        while end < rest.endIndex, bytes[end] > 0x20 { end += 1 }
        rest = rest[end...]
        return bytes[start..<end]
    }

    private static func size(_ text: some Collection<UInt8>) -> ListedFacts {
        // Most sizes are plain digits.
        var size: Int64 = 0
        for byte in text {
            guard byte.isASCIIDigit, text.count <= 18 else {
                return ListedFacts(size: ShownSize.parse(text)?.exactBytes)
            }
            size = size * 10 + Int64(byte & 15)
        }
        return ListedFacts(size: text.isEmpty ? nil : size)
    }

    private var words: [ArraySlice<UInt8>] { text.split { $0 <= 0x20 } }

    /// What stands before the first mark is between the cells and no cell.
    private var cells: ArraySlice<ArraySlice<UInt8>> {
        let parts = text.split(separator: Self.cellMark, omittingEmptySubsequences: false).dropFirst()
        return ArraySlice(Array(parts))
    }

    private static func isMinute(_ text: ArraySlice<UInt8>) -> Bool {
        let words = text.split { $0 <= 0x20 }
        return words.count == 2 && isMinute(words[0], words[1])
    }

    /// Whether these are a date with two hyphens and a time.
    private static func isMinute(_ date: some Collection<UInt8>, _ time: some Collection<UInt8>) -> Bool {
        guard (10...11).contains(date.count), (5...8).contains(time.count), time.first?.isASCIIDigit == true
        else { return false }
        var hyphens = 0
        for byte in date where byte == UInt8(ascii: "-") { hyphens += 1 }
        return hyphens == 2 && time.contains(UInt8(ascii: ":"))
    }
}

extension IndexServer {
    /// Where the columns are that can be exact.
    func layout(_ container: PageMarks.Container) -> IndexRow.Layout {
        switch self {
        case .nginx, .darkhttpd: .behind
        case .apache: container == .pre ? .behind : container == .table ? .cells : .none
        case .webfs: .before
        case .fancyindex, .jetty, .tomcat, .caddy, .rclone: .cells
        default: .none
        }
    }
}
