// One request, as a value. Redirects are not followed here: each hop is a request of its own, because what may be
// sent along depends on where it goes.

import MirrorCore

/// What is asked of a server, once.
package struct Request: Sendable {
    package enum Method: Sendable {
        case head, get
        /// What a folder holds (RFC 4918 section 9.1), one level deep.
        case propfind
    }

    package var method: Method
    package var address: Address
    /// First byte, and last byte or nil for all that follow.
    package var range: (first: Int64, last: Int64?)?
    /// The validator that makes the server send the whole file when it has changed.
    package var ifRange: String?
    /// Sent as If-None-Match and If-Modified-Since.
    package var condition: Validators?
    /// Fields of this entry alone.
    package var fields: [HeaderField]
    package var referer: String?
    package var userAgent: String?
    /// Whether the user's own header fields and credentials go along: only to the origin they were given for.
    package var isTrusted: Bool
    /// Asks caches on the way for the origin's own answer.
    package var bypassesCaches: Bool

    package init(
        _ method: Method, _ address: Address, range: (first: Int64, last: Int64?)? = nil, ifRange: String? = nil,
        condition: Validators? = nil, fields: [HeaderField] = [], referer: String? = nil, userAgent: String? = nil,
        isTrusted: Bool = true, bypassesCaches: Bool = false
    ) {
        self.method = method
        self.address = address
        self.range = range
        self.ifRange = ifRange
        self.condition = condition
        self.fields = fields
        self.referer = referer
        self.userAgent = userAgent
        self.isTrusted = isTrusted
        self.bypassesCaches = bypassesCaches
    }

    /// The bytes asked for in libcurl's form. Protocols without Content-Range are asked for all that follows: only
    /// then does the length of the answer tell the size of the file. The receiver stops at its last byte.
    var rangeText: String? {
        range.map { range in
            guard let last = range.last, address.isHTTP else { return "\(range.first)-" }
            return "\(range.first)-\(last)"
        }
    }

    /// The header lines that are this request's own.
    var ownLines: [String] {
        var lines = fields.map { "\($0.name): \($0.value)" }
        if let ifRange { lines.append("If-Range: \(ifRange)") }
        if let etag = condition?.etag { lines.append("If-None-Match: \(etag.text)") }
        if let modified = condition?.lastModified { lines.append("If-Modified-Since: \(modified)") }
        if bypassesCaches { lines.append("Cache-Control: no-cache") }
        if method == .propfind { lines.append("Depth: 1") }
        return lines
    }
}
