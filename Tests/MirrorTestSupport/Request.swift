// One request as the origin read it, together with what a handler needs to misbehave on purpose: which request in
// the row it is and on which connection it came.

/// A request, as handed to a handler.
package struct Request: Sendable {
    /// The method in capitals, as sent.
    package var method: String
    /// The request target as sent, with its query; a proxy request has an absolute URL here.
    package var target: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    package var version: String
    /// The header fields as sent.
    package var headers: Headers
    /// The body, when a Content-Length announced one.
    package var body: [UInt8]
    /// Number of the connection, from 0 on in order of acceptance.
    package var connection: Int
    /// How many requests for this route came before, of any method.
    package var ordinal: Int
    /// How many requests for this route came before with the same method.
    package var methodOrdinal: Int

    /// A request, for tables that need no network.
    package init(
        method: String, target: String, version: String = "HTTP/1.1", headers: Headers = [:], body: [UInt8] = [],
        connection: Int = 0, ordinal: Int = 0, methodOrdinal: Int = 0
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.body = body
        self.connection = connection
        self.ordinal = ordinal
        self.methodOrdinal = methodOrdinal
    }

    /// The target without scheme, authority and query; not decoded.
    package var path: String { Self.path(of: target) }

    /// The query without its question mark; nil when there is none.
    package var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The parsed Range header.
    package var range: RequestedRange? { headers["Range"].map { RequestedRange($0) } }

    /// Whether the client sends no more requests on the connection.
    var isLast: Bool {
        let options = headers["Connection"]?.lowercased() ?? ""
        return version == "HTTP/1.0" ? !options.contains("keep-alive") : options.contains("close")
    }

    static func path(of target: String) -> String {
        let withoutQuery = target.prefix { $0 != "?" }
        guard !withoutQuery.hasPrefix("/"), let scheme = withoutQuery.firstRange(of: "://") else {
            return String(withoutQuery)
        }
        return String(withoutQuery[scheme.upperBound...].drop { $0 != "/" })
    }
}
