// An entity tag names one state of a remote file.

/// An ETag (RFC 9110 section 8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// The tag as the server wrote it, `W/` included.
    public let text: String

    /// The longest tag, in bytes. Real ones have less than a hundred; servers take request heads of 8 KiB or less.
    package static let longest = 1_024

    /// Returns nil for what is empty, longer than any real tag, or has blanks or control characters. The tags without
    /// quotes that some servers send are taken as they are, because they still tell one state from another.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        self.text = text
    }

    /// Weak tags say «equivalent», not «the same bytes».
    public var isWeak: Bool { text.utf8.starts(with: "W/".utf8) }

    /// The tag without its weakness.
    private var opaque: Substring.UTF8View { isWeak ? text.utf8.dropFirst(2) : text.utf8[...] }

    /// Weak comparison: nothing speaks for a change.
    package func weaklyMatches(_ other: EntityTag) -> Bool {
        opaque.elementsEqual(other.opaque)
    }

    /// By bytes: canonically equivalent texts differ.
    public static func == (left: EntityTag, right: EntityTag) -> Bool { left.text.hasSameBytes(as: right.text) }
    /// By bytes, as `==` compares.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
