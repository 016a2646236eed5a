// Why a text is no address that mirror can use. The sentences never repeat the text: it may hold secrets.

/// Why a URL was refused.
package enum URLProblem: Error, Equatable, Sendable {
    case empty
    case noScheme
    /// The scheme in small letters.
    case unsupportedScheme(String)
    /// `http:x` or `http:/x`, which every program reads in another way.
    case noSlashes(String)
    case noHost
    case badHost
    case badPort
    case badUser
    case controlCharacter(UInt8)
    case tooLong(bytes: Int)
    /// Whatever else libcurl refuses.
    case malformed

    /// One sentence without the URL and without a final stop.
    package var message: String {
        switch self {
        case .empty: "the URL is empty"
        case .noScheme: "the URL has no scheme: write https://…"
        case .unsupportedScheme(let scheme):
            "the scheme «\(scheme)» is not supported; http, https, ftp, ftps, sftp and file are"
        case .noSlashes(let scheme): "after «\(scheme):» two slashes are missing: write \(scheme)://…"
        case .noHost: "the URL names no host"
        case .badHost: "the URL's host name is not valid"
        case .badPort: "the URL's port is not a number from 0 to 65535"
        case .badUser: "the URL's user name or password is not valid"
        case .controlCharacter(let byte): "the URL has a control character (byte \(byte))"
        case .tooLong(let bytes): "the URL has \(bytes) bytes; at most \(URLParser.longest) are possible"
        case .malformed: "the URL is malformed"
        }
    }
}
