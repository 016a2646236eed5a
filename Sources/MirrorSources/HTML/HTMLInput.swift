// The bytes of a page before they reach the parser. No declared charset is believed, for many lie: every byte above
// 0x7F is carried through the parser as a mark of its own and comes out as the byte it was, so that a link is requested
// as it stands in the page, in whatever charset. Only UTF-16, in which ASCII is not ASCII, is decoded.

import Glibc

/// Makes any bytes UTF-8 that libxml2 takes without a look at their charset.
struct HTMLInput {
    private enum Coding {
        /// Not yet enough bytes for a byte order mark.
        case unknown
        /// UTF-8 and every other charset that has ASCII in it.
        case bytes
        case utf16(isBigEndian: Bool)
    }

    private var coding = Coding.unknown
    private let charset: String?
    private var start: [UInt8] = []
    private var prepared: [UInt8] = []
    /// In UTF-16: the first byte of a unit, and the first unit of a pair.
    private var half: UInt8?
    private var highSurrogate: UInt32?

    /// - Parameter charset: what the Content-Type field says.
    init(charset: String?) {
        self.charset = charset.map { String(decoding: $0.utf8.map { $0 | 0x20 }, as: UTF8.self) }
    }

    /// Hands on what can be made of the next bytes.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard case .unknown = coding else { return prepare(bytes, body) }
        start += bytes
        if start.count >= 3 { finish(body) }
    }

    /// Hands on what is left.
    mutating func finish(_ body: (UnsafeRawBufferPointer) -> Void) {
        guard case .unknown = coding else { return }
        let first = start
        start = []
        let mark: Int
        (coding, mark) = Self.coding(of: first, charset)
        first.withUnsafeBytes { prepare(UnsafeRawBufferPointer(rebasing: $0[mark...]), body) }
    }

    /// A byte order mark counts before the word of the server. Returns the length of the mark, too.
    private static func coding(of start: [UInt8], _ charset: String?) -> (Coding, Int) {
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.bytes, 3) }
        if start.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
        if start.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
        switch charset {
        case "utf-16be", "utf-16": return start.first == 0 ? (.utf16(isBigEndian: true), 0) : (.bytes, 0)
        case "utf-16le": return start.dropFirst().first == 0 ? (.utf16(isBigEndian: false), 0) : (.bytes, 0)
        default: return (.bytes, 0)
        }
    }

    private mutating func prepare(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var rest = bytes[...]
        // In parts, so that the copy stays small.
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(32_768))
            rest = rest.dropFirst(part.count)
            if case .utf16(let isBigEndian) = coding {
                decode(part, isBigEndian)
            } else if Self.isPlain(part) {
                body(part)
                continue
            } else {
                mark(part)
            }
            prepared.withUnsafeBytes { body($0) }
        }
    }

    /// Whether all bytes are ASCII and none is NUL.
    private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var seen: UInt64 = 0
        var index = 0
        while index + 8 <= bytes.count {
            seen |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            seen |= UInt64(bytes[index])
            index += 1
        }
        return seen & 0x8080_8080_8080_8080 == 0 && memchr(base, 0, bytes.count) == nil
    }

    /// U+FFFD. libxml2 2.9 would take a NUL for the end of the page.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Bytes above 0x7F become U+E080…U+E0FF, which are for private use.
    private mutating func mark(_ bytes: UnsafeRawBufferPointer) {
        prepared.removeAll(keepingCapacity: true)
        for byte in bytes {
            if byte >= 0x80 {
                prepared.append(0xEE)
                prepared.append(0x82 | byte >> 6 & 1)
                prepared.append(0x80 | byte & 0x3F)
            } else if byte == 0 {
                prepared += Self.replacement
            } else {
                prepared.append(byte)
            }
        }
    }

    /// Appends a text that came out of the parser as the bytes that it was in the page.
    static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        guard let base = text.baseAddress else { return }
        guard memchr(base, 0xEE, text.count) != nil else { return bytes += text }
        var index = 0
        while index < text.count {
            if text[index] == 0xEE, index + 2 < text.count, text[index + 1] | 1 == 0x83 {
                bytes.append(0x80 | (text[index + 1] & 1) << 6 | text[index + 2] & 0x3F)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
    }

    private mutating func decode(_ bytes: UnsafeRawBufferPointer, _ isBigEndian: Bool) {
        prepared.removeAll(keepingCapacity: true)
        for byte in bytes {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            let unit = isBigEndian ? UInt32(first) << 8 | UInt32(byte) : UInt32(byte) << 8 | UInt32(first)
            append(unit)
        }
    }

    private mutating func append(_ unit: UInt32) {
        let high = highSurrogate
        highSurrogate = nil
        if let high, (0xDC00...0xDFFF).contains(unit) {
            return append(Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00)))
        }
        if high != nil { append(nil as Unicode.Scalar?) }
        if (0xD800...0xDBFF).contains(unit) {
            highSurrogate = unit
        } else {
            append(unit == 0 ? nil : Unicode.Scalar(unit))
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar?) {
        prepared += scalar.map { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) } ?? Self.replacement
    }
}
