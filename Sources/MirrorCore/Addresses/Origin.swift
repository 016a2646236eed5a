// An origin is what connections, rate limits and credentials belong to.

/// Scheme, host and port (RFC 6454), the port always written: `https://example.org:443`.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// Small letters, ASCII: host names reach this type already normalised.
    public let description: String

    package init(scheme: String, host: String, port: Int) {
        description = "\(scheme)://\(host):\(port)"
    }

    /// `http`, `https`, `ftp`, `ftps`, `sftp` or `file`.
    public var scheme: Substring {
        let utf8 = description.utf8
        return description[..<(utf8.firstIndex(of: UInt8(ascii: ":")) ?? utf8.endIndex)]
    }

    /// Whether it speaks HTTP. Of all schemes only http and https have an `h` in front; asked for each link of an index.
    package var isHTTP: Bool { description.utf8.first == UInt8(ascii: "h") }
}
