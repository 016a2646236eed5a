// The file name that a server suggests. It is a suggestion: a name comes out, never a path.

/// Reads Content-Disposition (RFC 6266).
package enum ContentDisposition {
    /// The suggested name, `filename*` before `filename`; nil when there is none. What stands before a `/` or a `\` is
    /// dropped, as browsers do; whether the rest is safe is for `LocalPath` to say.
    package static func fileName(_ text: String) -> String? {
        let parameters = parameters(of: text)
        let extended = parameters.first { $0.name.equalsIgnoringASCIICase("filename*") }
            .flatMap { decodeExtended($0.value) }
        let plain = parameters.first { $0.name.equalsIgnoringASCIICase("filename") }?.value
        guard let name = extended ?? plain else { return nil }
        // By bytes: a separator that an accent follows is no Character of its own, but a separator all the same.
        let last = name.utf8.split(omittingEmptySubsequences: false, whereSeparator: { #"/\"#.utf8.contains($0) }).last
        return last.flatMap { $0.isEmpty ? nil : String(Substring($0)) }
    }

    private static func parameters(of text: String) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var rest = Array(text.utf8)[...]
        // The disposition type comes first and has no name.
        rest = rest.drop { $0 != UInt8(ascii: ";") }
        while !rest.isEmpty {
            rest = rest.drop { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(name.count)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            found.append((trimmed(name), value(from: &rest)))
        }
        return found
    }

    private static func value(from rest: inout ArraySlice<UInt8>) -> String {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        guard rest.first == UInt8(ascii: "\"") else {
            let token = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(token.count)
            return trimmed(token)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            // A backslash quotes a quote or itself; before anything else it is the separator of somebody's path.
            if byte == UInt8(ascii: "\\"), let next = rest.first, "\"\\".utf8.contains(next) {
                value.append(next)
                rest = rest.dropFirst()
            } else {
                value.append(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while bytes.last == UInt8(ascii: " ") || bytes.last == UInt8(ascii: "\t") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `charset'language'percent-encoded` (RFC 8187), with the two charsets that exist in practice.
    private static func decodeExtended(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = percentDecoded(Array(parts[2])) else { return nil }
        switch String(Substring(parts[0])).asciiLowercased {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    private static func percentDecoded(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.count, let high = text[index + 1].hexValue, let low = text[index + 2].hexValue
                else { return nil }
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }
}
