// Where the parts of a URL lie in the text that libcurl wrote. libcurl has parsed and joined the URL, so the first
// slash after `://` starts the path and the first `?` after that ends it. Never given text from outside.

/// Positions in the UTF-8 bytes of a normalised URL.
struct AddressParts {
    /// The host's name, empty for `file:`; an IPv6 literal without its zone, in which capitals may count.
    let host: Range<Int>
    let path: Range<Int>

    private static let file = Array("file".utf8)

    /// Returns nil where a second reading would not give the same: for the root of `file:`, of which libcurl 7.88.1 makes
    /// `file://(nil)`, for the path `/c:/x` of `file:`, which libcurl takes for a drive of Windows (it is what becomes of
    /// `/./c:/x`), and where the host holds a `%`, which would be decoded once more.
    init?(of url: UnsafeRawBufferPointer) {
        let colon = url[...].position(of: UInt8(ascii: ":")) ?? 0
        let authority = min(colon + 3, url.count)
        let slash = url[authority...].position(of: UInt8(ascii: "/")) ?? url.count
        let end = url[slash...].position(of: UInt8(ascii: "?")) ?? url.count
        let at = url[authority..<slash].lastIndex(of: UInt8(ascii: "@"))
        let start = at.map { $0 + 1 } ?? authority
        let isLiteral = start < slash && url[start] == UInt8(ascii: "[")
        let zone = isLiteral ? url[start..<slash].position(of: UInt8(ascii: "%")) : nil
        host = start..<(zone ?? slash)
        path = slash..<end
        let isFile = url[..<colon].hasSameBytes(as: Self.file)
        let hasPercent = !isLiteral && url[host].position(of: UInt8(ascii: "%")) != nil
        let isStable =
            isFile ? host.isEmpty && path.count > 1 && !Self.namesDrive(url[path].dropFirst()) : !hasPercent
        guard isStable, !path.isEmpty else { return nil }
    }

    private static func namesDrive(_ path: Slice<UnsafeRawBufferPointer>) -> Bool {
        var bytes = path.prefix(3).makeIterator()
        guard let letter = bytes.next(), letter.isASCIILetter, let mark = bytes.next() else { return false }
        guard mark == UInt8(ascii: ":") || mark == UInt8(ascii: "|") else { return false }
        return bytes.next().map { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } ?? true
    }
}
