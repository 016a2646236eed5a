// A header field to send.

/// One HTTP field line (RFC 9110 section 5), name and value without line ends.
public struct HeaderField: Sendable, Hashable {
    /// A token, as it was written.
    public let name: String
    /// Without blanks around it.
    public let value: String

    /// Reads `Name: value`. Returns nil where the name is not a token or a control character would end the line.
    public init?(parsing text: String) {
        // By bytes: a colon or a blank that an accent follows is no Character of its own.
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(text[..<colon])
        var value = text.utf8[colon...].dropFirst()
        while let byte = value.first, Self.isBlank(byte) { value.removeFirst() }
        while let byte = value.last, Self.isBlank(byte) { value.removeLast() }
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { return nil }
        guard Self.isValue(Substring(value)) else { return nil }
        self.name = name
        self.value = String(Substring(value))
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

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
