// What the user says about connections. The names are curl's, and so are the meanings (curl's manual page).

import MirrorCore

/// Options of all requests of one run.
public struct TransportOptions: Sendable {
    /// Which HTTP version is offered.
    public enum HTTPVersion: Sendable {
        /// HTTP/2 over TLS where the server has it, else HTTP/1.1.
        case automatic
        case http1, http2
    }

    /// Which addresses names are resolved to.
    public enum AddressFamily: Sendable { case any, ipv4, ipv6 }

    /// Connections to one origin at most, at least 1.
    public var connectionsPerHost = 6
    /// Bytes a second over all transfers; nil for no limit.
    public var rateLimit: Int64?
    /// Until a connection, TLS included, must stand.
    public var connectTimeout = Duration.seconds(20)
    /// A transfer without a byte for this long is given up.
    public var stallTimeout = Duration.seconds(30)
    /// Sent to the origin of each entry's first URL, never to another that an alternate or a redirect leads to.
    public var fields: [HeaderField] = []
    /// The User-Agent header.
    public var userAgent: String
    /// `user:password`, for the origin of each entry's first URL.
    public var user: String?
    /// Whether `~/.netrc` is looked into.
    public var usesNetrc = false
    /// A netrc file in place of `~/.netrc`.
    public var netrcFile: String?
    /// Replaces the proxy variables of the environment.
    public var proxy: String?
    /// `user:password`, for the proxy.
    public var proxyUser: String?
    /// Hosts that no proxy is used for, separated by commas.
    public var noProxy: String?
    /// A file of CA certificates (PEM) in place of the system's.
    public var caFile: String?
    /// A file with the client certificate (PEM).
    public var certificate: String?
    /// A file with the key of `certificate` (PEM).
    public var key: String?
    /// Server certificates are not checked.
    public var isInsecure = false
    /// The HTTP version.
    public var httpVersion = HTTPVersion.automatic
    /// `HOST:PORT:ADDRESS` each.
    public var resolve: [String] = []
    /// The name or address of the network interface to go out by.
    public var interface: String?
    /// The addresses to connect to.
    public var addressFamily = AddressFamily.any
    /// `provider1[:provider2[:region[:service]]]`
    public var awsSignature: String?

    /// The defaults, which are those of the command.
    public init(userAgent: String) { self.userAgent = userAgent }
}
