// One segment of a URL's path as a file name. The bytes are percent-decoded once; what cannot be in a file name stays
// encoded, in a form that can be told from a name that merely looks so. Whether the name is safe is for LocalPath.

import MirrorCore

/// The rule that makes a file name of a path segment:
///
/// - NUL, `/` and bytes that are not part of valid UTF-8 are written `%XX` in capital hexadecimal digits.
/// - A decoded `%` that would read as such an escape (before `00`, `2F` or `80`…`FF`, with any number of `25` between)
///   is written `%25`. Every other `%` is written as it is: `100%25.txt` is the file `100%.txt`.
///
/// So two segments have the same name only if they are the same bytes, and the bytes can be told from the name.
enum FileNameBytes {
    /// Appends the name of a segment.
    static func append(_ segment: Slice<UnsafeRawBufferPointer>, to name: inout [UInt8]) {
        // An address has only ASCII in its text, so that without an escape the segment is the name.
        guard segment.position(of: UInt8(ascii: "%")) != nil else {
            name.append(contentsOf: UnsafeRawBufferPointer(rebasing: segment))
            return
        }
        append(bytes: segment.percentDecoded(), to: &name)
    }

    /// Appends the name that bytes stand for which are decoded already.
    static func append(bytes: [UInt8], to name: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            let length = UTF8Sequence.length(at: index, of: bytes)
            let byte = bytes[index]
            if length == 0 || byte == 0 || byte == UInt8(ascii: "/") {
                appendEscape(byte, to: &name)
            } else if byte == UInt8(ascii: "%"), looksEscaped(bytes[(index + 1)...]) {
                name += Array("%25".utf8)
            } else {
                name += bytes[index..<(index + length)]
            }
            index += max(length, 1)
        }
    }

    /// Whether a `%` before these bytes would read as an escape that this rule writes.
    private static func looksEscaped(_ rest: ArraySlice<UInt8>) -> Bool {
        var rest = rest
        while rest.starts(with: "25".utf8) { rest = rest.dropFirst(2) }
        guard let first = rest.first, let second = rest.dropFirst().first else { return false }
        guard isCapitalHex(first), isCapitalHex(second), let high = first.hexValue, let low = second.hexValue else {
            return false
        }
        let byte = high << 4 | low
        return byte == 0 || byte == UInt8(ascii: "/") || byte >= 0x80
    }

    private static func isCapitalHex(_ byte: UInt8) -> Bool { byte.hexValue != nil && byte < UInt8(ascii: "a") }

    private static func appendEscape(_ byte: UInt8, to name: inout [UInt8]) {
        let digits = "0123456789ABCDEF".utf8.map { $0 }
        name.append(UInt8(ascii: "%"))
        name.append(digits[Int(byte >> 4)])
        name.append(digits[Int(byte & 15)])
    }
}
