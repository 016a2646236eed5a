// An address is a URL that has been parsed. It is only made by MirrorURL, so that one parser decides what a URL
// means for every check and every use. It holds secrets: show `MirrorURL`'s redacted text instead.

/// A parsed URL (RFC 3986), as it is requested.
public struct Address: Sendable {
    /// The whole URL without its fragment, secrets included.
    public let text: String
    /// Where it leads: scheme, host and port.
    public let origin: Origin
    /// Where the path lies in `text`, in UTF-8 bytes.
    @usableFromInline let pathStart: Int32
    @usableFromInline let pathEnd: Int32

    @inlinable
    package init(text: String, origin: Origin, pathStart: Int, pathEnd: Int) {
        self.text = text
        self.origin = origin
        self.pathStart = Int32(clamping: pathStart)
        self.pathEnd = Int32(clamping: pathEnd)
    }

    /// Where the path lies in `text`, in UTF-8 bytes.
    @inlinable package var pathRange: Range<Int> { Int(pathStart)..<Int(pathEnd) }

    /// The path, percent-encoded as it is requested; it starts with `/`.
    package var path: Substring {
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: Int(pathStart))
        return text[start..<utf8.index(utf8.startIndex, offsetBy: Int(pathEnd))]
    }

    /// What follows the last `/` of the path; empty for an index.
    package var lastSegment: Substring {
        let path = path
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return path[path.utf8.index(after: slash)...]
    }

    /// Whether the path ends in `/` and nothing follows it: by the contract such a URL is an index.
    package var isIndex: Bool {
        text.withBytes { $0.last == UInt8(ascii: "/") && Int(pathEnd) == $0.count }
    }

    /// Whether this is the address of the folder that another address names without the slash.
    package func isFolder(of other: Address) -> Bool {
        isIndex && text.utf8.count == other.text.utf8.count + 1 && text.utf8.starts(with: other.text.utf8)
    }

    /// Whether the scheme is http or https, so that there are status codes and header fields.
    package var isHTTP: Bool { origin.isHTTP }

    package var isFTP: Bool { origin.scheme == "ftp" || origin.scheme == "ftps" }
}

extension Address: Hashable {
    /// By bytes: canonically equivalent texts differ.
    public static func == (left: Address, right: Address) -> Bool { left.text.hasSameBytes(as: right.text) }
    /// By bytes, as `==` compares.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
