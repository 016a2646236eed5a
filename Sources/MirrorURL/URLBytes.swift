// The bytes of a URL before they reach the parser: what may not stand in a URL is percent-encoded once, so that the
// bytes that were given are the bytes that are asked for. Nothing is decoded and no part of the URL is told apart.

import MirrorCore

/// A reusable, NUL-terminated buffer of URL text.
struct URLBytes {
    private(set) var bytes: [UInt8] = []

    /// How many bytes there are before the NUL.
    var count: Int { max(bytes.count - 1, 0) }
    private(set) var hasFragment = false

    /// Takes a text over. Blanks and bytes above 0x7F are encoded; a `%` that starts no escape is literal and becomes
    /// `%25`.
    mutating func fill(with text: some Collection<UInt8>) throws(URLProblem) {
        guard text.count <= URLParser.longest else { throw .tooLong(bytes: text.count) }
        bytes.removeAll(keepingCapacity: true)
        hasFragment = false
        var index = text.startIndex
        while index != text.endIndex {
            let byte = text[index]
            let next = text.index(after: index)
            switch byte {
            case 0..<0x20, 0x7F: throw .controlCharacter(byte)
            case 0x20, 0x80...: appendEscape(byte)
            case UInt8(ascii: "%") where !Self.isEscape(text, after: next): appendEscape(byte)
            case UInt8(ascii: "#"):
                hasFragment = true
                bytes.append(byte)
            default: bytes.append(byte)
            }
            index = next
        }
        bytes.append(0)
    }

    private static func isEscape<Text: Collection<UInt8>>(_ text: Text, after index: Text.Index) -> Bool {
        guard index != text.endIndex, text[index].hexValue != nil else { return false }
        let second = text.index(after: index)
        return second != text.endIndex && text[second].hexValue != nil
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(byte >> 4 &+ (byte >> 4 < 10 ? 0x30 : 0x37))
        bytes.append(byte & 15 &+ (byte & 15 < 10 ? 0x30 : 0x37))
    }

    /// The scheme in small letters, or nil where the text starts with none (RFC 3986 section 3.1).
    var scheme: String? {
        guard let first = bytes.first, first.isASCIILetter else { return nil }
        guard let colon = bytes.firstIndex(where: { !Self.isSchemeByte($0) }), bytes[colon] == UInt8(ascii: ":")
        else { return nil }
        return String(decoding: bytes[..<colon], as: UTF8.self).asciiLowercased
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte)
    }

    /// The bytes from an index on, without the NUL.
    func rest(from index: Int) -> ArraySlice<UInt8> {
        index < count ? bytes[index..<count] : []
    }
}
