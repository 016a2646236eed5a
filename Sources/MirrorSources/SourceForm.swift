// Which form a source has, by its content alone: a name and its extension promise nothing.

import MirrorCore

/// The forms of a source.
public enum SourceForm: String, Sendable, CaseIterable {
    case manifest, html, xml, json, metalink, sums, report
    /// Folders are asked for with PROPFIND (RFC 4918); the answers are XML. Never found from content.
    case dav

    /// The form that the first bytes of a source show; text that is nothing else is a manifest.
    package static func detect(_ bytes: [UInt8]) -> SourceForm {
        // XML in UTF-16, with its byte order mark.
        if bytes.starts(with: [0xFF, 0xFE, 0x3C, 0x00]) || bytes.starts(with: [0xFE, 0xFF, 0x00, 0x3C]) {
            return .xml
        }
        // Enough for a prologue with a long comment; a form shows itself early.
        let start = bytes.prefix(65_536).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        switch start.first {
        case UInt8(ascii: "{"): return contains("mirror-report", in: start.prefix(4_096)) ? .report : .json
        case UInt8(ascii: "["): return .json
        case UInt8(ascii: "<"): return markup(start)
        default: return isSums(start) ? .sums : isCall(start) ? .json : .manifest
        }
    }

    /// Whether it is a JSON document in a call (JSONP): `/* callback */ name([`.
    private static func isCall(_ bytes: ArraySlice<UInt8>) -> Bool {
        var wrapper = JSONWrapper()
        return Array(bytes.prefix(4_096)).withUnsafeBytes { raw in
            _ = wrapper.open(raw[...])
            return wrapper.isOpen
        }
    }

    private static func contains(_ word: String, in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: word.utf8) }
    }

    private static let htmlElements: Set<String> = [
        "html", "head", "body", "title", "meta", "link", "style", "script", "table", "h1", "h2", "pre", "a", "p",
        "div", "ul", "center", "hr", "!doctype",
    ]

    private static func markup(_ bytes: ArraySlice<UInt8>) -> SourceForm {
        let name = rootElement(bytes)
        if htmlElements.contains(name) { return .html }
        return name == "metalink" ? .metalink : .xml
    }

    /// The name of the first element in small letters and without prefix; declarations and comments before it are
    /// passed over.
    private static func rootElement(_ bytes: ArraySlice<UInt8>) -> String {
        var rest = bytes
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[open...].dropFirst()
            if rest.starts(with: "!--".utf8) {
                rest = skip("-->", rest)
            } else if rest.first == UInt8(ascii: "?") {
                rest = skip("?>", rest)
            } else {
                let tag = rest.prefix { $0 > 0x20 && !">/".utf8.contains($0) }
                let name = String(decoding: tag, as: UTF8.self).asciiLowercased
                let local = name.split(separator: ":").last.map { String($0) } ?? name
                // The document type of an XML listing is not its root.
                if name != "!doctype" || isHTMLDocumentType(rest.dropFirst(tag.count)) { return local }
            }
        }
        return ""
    }

    private static func isHTMLDocumentType(_ rest: ArraySlice<UInt8>) -> Bool {
        let word = rest.drop { $0 <= 0x20 }.prefix(4)
        return String(decoding: word, as: UTF8.self).asciiLowercased.utf8.elementsEqual("html".utf8)
    }

    private static func skip(_ mark: String, _ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark.utf8) }) else { return [] }
        return bytes[end...].dropFirst(mark.utf8.count)
    }

    /// Whether the first line that is no comment is one of a checksum list, or such a list is signed by PGP. No line of
    /// a manifest looks like that: a URL has a scheme.
    private static func isSums(_ bytes: ArraySlice<UInt8>) -> Bool {
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.first == UInt8(ascii: "#") { continue }
            if line.starts(with: "-----BEGIN PGP SIGNED MESSAGE-----".utf8) { return isSignedSums(bytes) }
            return SumsLine.looksLikeSum(line)
        }
        return false
    }

    private static func isSignedSums(_ bytes: ArraySlice<UInt8>) -> Bool {
        let lines = bytes.split(maxSplits: 100) { $0 == 0x0A || $0 == 0x0D }
        return lines.contains { SumsLine.looksLikeSum($0) }
    }
}
