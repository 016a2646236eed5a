// One line of a manifest as bytes, and what kind of line it is. Nothing is copied and nothing is understood yet.

import MirrorURL

/// A line without its end and without blanks at its end.
struct ManifestLine {
    enum Kind { case blank, comment, urls, option }

    /// The longest line that is read, in bytes.
    static let longest = 65_536

    /// From 1.
    let number: Int
    /// Where the line starts in the manifest, for columns.
    private let start: Int
    let bytes: Slice<UnsafeRawBufferPointer>

    init(number: Int, _ raw: Slice<UnsafeRawBufferPointer>) {
        self.number = number
        start = raw.startIndex
        var end = raw.endIndex
        // The CR of a CRLF goes; blanks before it go as well.
        if end > raw.startIndex, raw[end - 1] == 0x0D { end -= 1 }
        while end > raw.startIndex, Self.isBlank(raw[end - 1]) { end -= 1 }
        bytes = raw[raw.startIndex..<end]
    }

    var kind: Kind {
        guard let first = bytes.first else { return .blank }
        if !Self.isBlank(first) { return first == UInt8(ascii: "#") ? .comment : .urls }
        guard let index = bytes.firstIndex(where: { !Self.isBlank($0) }) else { return .blank }
        return bytes[index] == UInt8(ascii: "#") ? .comment : .option
    }

    /// The column of a byte, from 1.
    func column(_ index: Int) -> Int { index - start + 1 }

    /// Why the line cannot be read at all.
    var fault: (index: Int, message: String)? {
        if bytes.count > Self.longest {
            return (bytes.startIndex, "the line has \(bytes.count) bytes; at most \(Self.longest) are possible")
        }
        if let index = bytes.position(of: 0) {
            return (index, "the line has a NUL byte; is the file UTF-16? Save it as UTF-8")
        }
        if let index = bytes.position(of: 0x0D) {
            return (index, "the line has a CR without LF; end lines with LF or CRLF")
        }
        return nil
    }

    /// The URLs of a URL line with the columns where they start. A `#` after a blank starts a comment; TABs separate.
    func forEachField(_ body: (Slice<UnsafeRawBufferPointer>, Int) -> Void) {
        var rest = withoutComment
        while !rest.isEmpty {
            let end = rest.position(of: 0x09) ?? rest.endIndex
            let field = Self.trimmed(rest[..<end])
            if !field.isEmpty { body(field, column(field.startIndex)) }
            rest = end < rest.endIndex ? rest[(end + 1)...] : rest[end...]
        }
    }

    private var withoutComment: Slice<UnsafeRawBufferPointer> {
        var index = bytes.startIndex
        while let hash = bytes[index...].position(of: UInt8(ascii: "#")) {
            if hash > bytes.startIndex, Self.isBlank(bytes[hash - 1]) { return bytes[..<hash] }
            index = hash + 1
        }
        return bytes
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var start = bytes.startIndex, end = bytes.endIndex
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return bytes[start..<end]
    }
}
