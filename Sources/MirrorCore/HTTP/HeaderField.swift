// A header field to send.

/// One HTTP field line (RFC 9110 section 5), name and value without line ends.
public struct HeaderField: Sendable, Hashable {
    /// A token, as it was written.
    public let name: String
    /// Without blanks around it.
    public let value: String

    /// Reads `Name: value`. Returns nil where the name is not a token or a control character would end the line.
    public init?(parsing text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = String(text[..<colon])
        var value = text[text.index(after: colon)...]
        while value.first == " " || value.first == "\t" { value.removeFirst() }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { return nil }
        guard Self.isValue(value) else { return nil }
        self.name = name
        self.value = String(value)
    }

    /// Whether a text can stand in a line of a request: with a control character it would end there, or be another line.
    package static func isValue(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Fields that decide which bytes arrive: mirror sets them itself, and nobody else may.
    private static let reservedNames = [
        "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
        "accept-encoding", "content-length", "transfer-encoding",
    ]

    /// Whether mirror sets this field itself, so that neither a source nor an option can.
    package var isReserved: Bool { Self.reservedNames.contains { $0.equalsIgnoringASCIICase(name) } }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
