// Addresses as they may be shown: in reports, logs, progress and messages. What could open a door is replaced by `***`;
// too much is hidden rather than too little.

import MirrorCore

/// Replaces the secrets of URLs.
package enum Redaction {
    /// What stands in place of a secret.
    package static let mark = "***"

    /// The address without user name, password and the values of signed or secret parameters, in the path or the query.
    package static func text(of address: Address) -> String { text(ofUnparsed: address.text) }

    /// Whether an address has none of the bytes by which a secret is told, nor any by which a hidden one is: nearly all
    /// have not. False tells nothing.
    package static func isPlain(_ address: Address) -> Bool {
        address.text.withBytes { text in
            text[...].position(of: UInt8(ascii: "@")) == nil && text[...].position(of: UInt8(ascii: "=")) == nil
                && text[...].position(of: UInt8(ascii: "*")) == nil
        }
    }

    /// A text that is or holds something like a URL, however broken, without what looks like a secret.
    package static func text(ofUnparsed text: String) -> String {
        guard text.has(UInt8(ascii: "@")) || text.has(UInt8(ascii: "=")) else { return text }
        var visible = Array(text.utf8)
        // What is hidden may have kept something else from looking like a secret: until nothing more does.
        for _ in 0..<mostPasses {
            let less = hideParameters(in: hideUsers(in: visible))
            if less == visible { return String(decoding: visible, as: UTF8.self) }
            visible = less
        }
        return mark
    }

    /// An address needs two, one made for the purpose one more for each trick; then nothing of it is shown.
    private static let mostPasses = 8

    /// Whether a text is a URL that has lost a secret in `text(of:)`, so that it cannot be asked for.
    package static func hidesSomething(in text: String) -> Bool {
        guard text.has(UInt8(ascii: "*")) else { return false }
        let bytes = Array(text.utf8)
        let mark = Array(mark.utf8)
        if bytes == mark { return true }
        return bytes.indices.contains { index in
            bytes[index...].starts(with: mark)
                && (bytes[..<index].last == UInt8(ascii: "=") || bytes[..<index].suffix(3).elementsEqual("://".utf8))
        }
    }

    // MARK: User names and passwords

    private static func hideUsers(in text: [UInt8]) -> [UInt8] {
        guard let last = text.lastIndex(of: UInt8(ascii: "@")) else { return text }
        if authorityStart(in: text, from: 0) == text.count {
            // No URL: whatever has a colon before an `@` may be a name and a password all the same.
            return text[..<last].contains(UInt8(ascii: ":")) ? Array(mark.utf8) + text[last...] : text
        }
        var visible: [UInt8] = []
        var index = 0
        while index < text.count {
            let start = authorityStart(in: text, from: index)
            guard let at = userEnd(in: text, from: start) else {
                visible += text[index..<start]
                if start < text.count { visible.append(text[start]) }
                index = start + 1
                continue
            }
            visible += text[index..<start]
            visible += Array(mark.utf8)
            index = at
        }
        return visible
    }

    /// After the next `://`, or the end of the text.
    private static func authorityStart(in text: [UInt8], from index: Int) -> Int {
        let marks = Array("://".utf8)
        guard text.count > marks.count else { return text.count }
        for candidate in index..<text.count where text[candidate...].starts(with: marks) {
            return candidate + marks.count
        }
        return text.count
    }

    /// The position of the `@` that ends a user name and password, or nil.
    private static func userEnd(in text: [UInt8], from start: Int) -> Int? {
        guard start < text.count else { return nil }
        let authority = text[start...].prefix { $0 > 0x20 && !"/?#".utf8.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return at }
        // A password with a raw `/`, `?`, `#` or blank makes a URL that cannot be parsed: after the colon is no port.
        guard authority.first != UInt8(ascii: "["), let colon = authority.firstIndex(of: UInt8(ascii: ":")),
            !authority[(colon + 1)...].allSatisfy(\.isASCIIDigit)
        else { return nil }
        let next = authorityStart(in: text, from: start)
        return text[start..<next].lastIndex(of: UInt8(ascii: "@"))
    }

    // MARK: Query parameters

    private static func hideParameters(in text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "=")) else { return text }
        var visible: [UInt8] = []
        var index = 0
        var isAfterSeparator = false
        while index < text.count {
            if isAfterSeparator {
                let name = text[index...].prefix { !"=&;?#".utf8.contains($0) }
                visible += name
                index = name.endIndex
                isAfterSeparator = false
                guard index < text.count else { break }
                if text[index] == UInt8(ascii: "="), isSecret(name) {
                    visible += Array("=\(mark)".utf8)
                    index = text[index...].firstIndex { "&;#".utf8.contains($0) } ?? text.count
                }
                continue
            }
            isAfterSeparator = "?&;".utf8.contains(text[index])
            visible.append(text[index])
            index += 1
        }
        return visible
    }

    private static let secretNames: Set<String> = [
        "key", "sig", "policy", "key-pair-id", "awsaccesskeyid", "googleaccessid", "pass", "pwd", "md5",
    ]
    private static let secretWords = [
        "token", "secret", "passw", "signature", "credential", "apikey", "api_key", "api-key", "access_key",
        "access-key", "accesskey", "auth", "session", "jwt", "hmac", "hdnea", "hdnts", "ticket",
    ]

    private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        let plain = String(decoding: name.percentDecoded(), as: UTF8.self).asciiLowercased
        return secretNames.contains(plain) || secretWords.contains { plain.utf8.contains($0.utf8) }
    }
}

extension String.UTF8View {
    fileprivate func contains(_ word: String.UTF8View) -> Bool {
        indices.contains { self[$0...].starts(with: word) }
    }
}
