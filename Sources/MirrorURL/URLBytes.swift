// The bytes of a URL before they reach the parser: what may not stand in a URL is percent-encoded once, so that the
// bytes that were given are the bytes that are asked for. Nothing is decoded and no part of the URL is told apart.

import MirrorCore

/// A reusable, NUL-terminated buffer of URL text.
struct URLBytes {
    private(set) var bytes: [UInt8] = []
    private(set) var hasFragment = false

    /// How many bytes there are before the NUL.
    var count: Int { max(bytes.count - 1, 0) }

    /// Takes a text over. Blanks and bytes above 0x7F are encoded; a `%` that starts no escape is literal and becomes
    /// `%25`. Returns what is wrong with the text, if anything is.
    mutating func fill(with text: UnsafeRawBufferPointer) -> URLProblem? {
        guard text.count <= URLParser.longest else { return .tooLong(bytes: text.count) }
        bytes.removeAll(keepingCapacity: true)
        hasFragment = false
        // Where the bytes start that need no change and are not yet copied.
        var start = 0
        let isPlain = Self.isPlain
        for index in 0..<text.count {
            let byte = text[index]
            if isPlain[Int(byte)] { continue }
            if byte == UInt8(ascii: "#") {
                hasFragment = true
            } else if byte < 0x20 || byte == 0x7F {
                return .controlCharacter(byte)
            } else if byte != UInt8(ascii: "%") || !Self.isEscape(text, after: index) {
                bytes.append(contentsOf: text[start..<index])
                appendEscape(byte)
                start = index + 1
            }
        }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
        bytes.append(0)
        return nil
    }

    /// The bytes that are taken over without a further look.
    private static let isPlain = (0...255).map { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 && $0 != 0x25 }

    private static func isEscape(_ text: UnsafeRawBufferPointer, after index: Int) -> Bool {
        index + 2 < text.count && text[index + 1].hexValue != nil && text[index + 2].hexValue != nil
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

    /// Whether there may be an escape in the host of an absolute URL, or of a reference with a host of its own.
    var hasEscapedHost: Bool {
        guard let slashes = bytes.indices.first(where: { bytes[$0...].starts(with: "//".utf8) }) else { return false }
        let authority = bytes[(slashes + 2)...].prefix { !"/?#\0".utf8.contains($0) }
        return authority.contains(UInt8(ascii: "%"))
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte)
    }

    /// The bytes from an index on, without the NUL.
    func rest(from index: Int) -> ArraySlice<UInt8> {
        index < count ? bytes[index..<count] : []
    }
}
