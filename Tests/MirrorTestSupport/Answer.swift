// All of one answer, as a value: head, content, framing, delivery. Whatever a server can do wrong is a field here;
// `Resource` makes the answers of a server that does it for a reason.

/// What the origin sends for one request.
package struct Answer: Sendable {
    /// Three digits, or 0 for an answer that is never sent.
    package var status: Int
    /// The reason phrase; may be empty.
    package var reason: String
    /// Sent as they are, in this order, before the fields of the framing.
    package var headers: Headers
    /// The body; not sent to HEAD, nor with 204 and 304.
    package var content: Content
    /// What the head says about the length of the body.
    package var framing: Framing
    /// When the bytes go out and where they stop.
    package var delivery: Delivery
    /// Ends the connection after this answer, and says so.
    package var closes = false
    /// Replaces status line and headers by these bytes, end of head included; `status` still goes to the log.
    package var rawHead: [UInt8]?

    /// An answer; a missing reason is the usual one of the status.
    package init(
        status: Int, reason: String? = nil, headers: Headers = [:], content: Content = Content(),
        framing: Framing = .length, delivery: Delivery = .plain
    ) {
        self.status = status
        self.reason = reason ?? Self.usualReason(of: status)
        self.headers = headers
        self.content = content
        self.framing = framing
        self.delivery = delivery
    }

    /// A redirect; `location` goes out as it is, with spaces, raw UTF-8 or anything else.
    package static func redirect(to location: String, status: Int = 302) -> Answer {
        Answer(status: status, headers: ["Location": location])
    }

    /// A bare status with a short HTML page, and a Retry-After header as it is given.
    package static func status(_ status: Int, retryAfter: String? = nil, headers: Headers = [:]) -> Answer {
        var answer = htmlPage(status: status)
        answer.headers.append("Retry-After", ifPresent: retryAfter)
        answer.headers.fields += headers.fields
        return answer
    }

    /// An HTML page: an error page, a listing, or with 200 the login page in place of a file.
    package static func htmlPage(status: Int = 200, _ html: String? = nil) -> Answer {
        let title = "\(status) \(usualReason(of: status))"
        let page = html ?? "<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n"
        return Answer(status: status, headers: ["Content-Type": "text/html"], content: Content(page))
    }

    /// A text of any media type, for example XML.
    package static func text(_ text: String, contentType: String = "text/plain", status: Int = 200) -> Answer {
        Answer(status: status, headers: ["Content-Type": contentType], content: Content(text))
    }

    /// What an object store says when a signed URL has expired.
    package static var expiredSignature: Answer {
        let error = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
        return text(error, contentType: "application/xml", status: 403)
    }

    /// Never a byte; the connection stays open.
    package static var hang: Answer { Answer(status: 0, delivery: .hang) }

    /// The connection ends without a byte of an answer.
    package static func closed(_ ending: Ending) -> Answer { Answer(status: 0, delivery: .closed(ending)) }

    private static func usualReason(of status: Int) -> String {
        let reasons = [
            200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
            303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            407: "Proxy Authentication Required", 410: "Gone", 412: "Precondition Failed",
            416: "Range Not Satisfiable", 429: "Too Many Requests", 500: "Internal Server Error",
            501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        ]
        return reasons[status] ?? "Status \(status)"
    }
}

extension Answer {
    func sendsBody(to method: String) -> Bool { method != "HEAD" && status != 204 && status != 304 }

    /// Status line and headers as they go out.
    func head(announcingClose: Bool) -> [UInt8] {
        if let rawHead { return rawHead }
        var bytes = Array("HTTP/1.1 \(status) \(reason)\r\n".utf8)
        for field in headers.fields + framingFields { bytes.append(field) }
        if (closes || announcingClose) && framing != .closeDelimited { bytes.append(.init("Connection", "close")) }
        bytes += Array("\r\n".utf8)
        return bytes
    }

    /// Headers that already name a length were made to: the framing then adds none.
    private var framingFields: [Headers.Field] {
        if status == 304 || status == 204 || headers["Content-Length"] != nil { return [] }
        return framing.fields(for: content.length)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ field: Headers.Field) {
        append(contentsOf: field.name.utf8)
        append(contentsOf: ": ".utf8)
        append(contentsOf: field.value.utf8)
        append(contentsOf: "\r\n".utf8)
    }
}
