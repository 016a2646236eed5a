// Where the parts of a URL lie in the text that libcurl wrote. libcurl has parsed and joined the URL, so the first
// slash after `://` starts the path and the first `?` after that ends it. Never given text from outside.

/// Positions in the UTF-8 bytes of a normalised URL.
struct AddressParts {
    /// The host's name, empty for `file:` and for an IPv6 literal, whose zone may tell capitals from small letters.
    let host: Range<Int>
    let path: Range<Int>

    init(of url: UnsafeRawBufferPointer) {
        let colon = url.firstIndex(of: UInt8(ascii: ":")) ?? 0
        let authority = min(colon + 3, url.count)
        let slash = url[authority...].firstIndex(of: UInt8(ascii: "/")) ?? url.count
        let end = url[slash...].firstIndex(of: UInt8(ascii: "?")) ?? url.count
        let at = url[authority..<slash].lastIndex(of: UInt8(ascii: "@"))
        let start = at.map { $0 + 1 } ?? authority
        host = start < slash && url[start] != UInt8(ascii: "[") ? start..<slash : start..<start
        path = slash..<end
    }
}
