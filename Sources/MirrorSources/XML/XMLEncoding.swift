// In which encoding an XML document is: its byte order mark, else what the server said, else what its declaration
// says, else UTF-8 (RFC 7303 section 3).

import MirrorCore

/// The encoding of a document, from its first bytes.
enum XMLEncoding: Equatable {
    /// UTF-8, or ASCII, which is part of it.
    case utf8
    /// The parser finds it by itself: UTF-16 or the encoding that the declaration names.
    case declared
    /// The server's word, in an encoding that is not UTF-8.
    case named(String)

    /// How many bytes may be needed to see the end of a declaration.
    static let headLimit = 1_024

    /// Nil as long as the first bytes are too few to tell.
    init?(head: [UInt8], charset: String?, isLast: Bool) {
        if head.count < 4, !isLast { return nil }
        let marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0x00, 0x3C], [0x3C, 0x00], [0x00, 0x00]]
        if marks.contains(where: { head.starts(with: $0) }) {
            self = .declared
            return
        }
        if head.starts(with: [0xEF, 0xBB, 0xBF]) {
            self = .utf8
            return
        }
        if let charset, !charset.isEmpty {
            self = Self.isUTF8(charset) ? .utf8 : .named(charset)
            return
        }
        let declaration = Array("<?xml".utf8)
        guard head.starts(with: declaration.prefix(head.count)) else {
            self = .utf8
            return
        }
        guard let end = head.firstIndex(of: UInt8(ascii: ">")) else {
            guard isLast || head.count >= Self.headLimit else { return nil }
            self = .utf8
            return
        }
        let name = Self.declaredName(head[..<end])
        self = name.map { Self.isUTF8($0) } ?? true ? .utf8 : .declared
    }

    private static func declaredName(_ declaration: ArraySlice<UInt8>) -> String? {
        let word = Array("encoding".utf8)
        guard let start = declaration.indices.first(where: { declaration[$0...].starts(with: word) }) else {
            return nil
        }
        let value = declaration[(start + word.count)...].drop { $0 <= 0x20 || $0 == UInt8(ascii: "=") }
        guard let quote = value.first else { return nil }
        return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
    }

    private static func isUTF8(_ name: String) -> Bool {
        ["utf-8", "utf8", "us-ascii", "ascii"].contains { name.equalsIgnoringASCIICase($0) }
    }
}
