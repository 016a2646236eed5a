// What an answer says before its first byte: the status and those header fields that a decision needs.

/// The head of a final response, from any protocol: ftp and file answers are put into the same words.
package struct ResponseHead: Sendable, Equatable {
    /// The HTTP status code. Other protocols: 200 for a whole file, 206 for one from an offset.
    package var status: Int
    /// Bytes of the body as sent; nil when the server does not say, or says several things.
    package var contentLength: Int64?
    package var contentRange: String?
    package var validators: Validators
    package var contentType: String?
    package var contentEncoding: String?
    package var acceptRanges: String?
    package var retryAfter: String?
    package var location: String?
    package var contentDisposition: String?
    /// Whether nothing but the end of the connection tells where the body ends (RFC 9112 section 6.3).
    package var endsWithConnection = false

    package init(
        status: Int, contentLength: Int64? = nil, contentRange: String? = nil, validators: Validators = Validators(),
        contentType: String? = nil, contentEncoding: String? = nil, acceptRanges: String? = nil,
        retryAfter: String? = nil, location: String? = nil, contentDisposition: String? = nil
    ) {
        self.status = status
        self.contentLength = contentLength
        self.contentRange = contentRange
        self.validators = validators
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.acceptRanges = acceptRanges
        self.retryAfter = retryAfter
        self.location = location
        self.contentDisposition = contentDisposition
    }

    /// Whether the body is coded in some way, so that its length says nothing about the file's.
    package var isEncoded: Bool {
        guard let contentEncoding else { return false }
        return !contentEncoding.isEmpty && !contentEncoding.equalsIgnoringASCIICase("identity")
    }

    /// Whether the server said that it takes no ranges. Saying that it does is a hint only.
    package var refusesRanges: Bool { acceptRanges?.equalsIgnoringASCIICase("none") ?? false }

    /// The media type without its parameters, in small letters.
    package var mediaType: String? {
        contentType.map { type in
            String(type.prefix { $0 != ";" && $0 != " " && $0 != "\t" }).asciiLowercased
        }
    }

    /// The `charset` parameter of the media type (RFC 9110 section 8.3.2), as it was sent.
    package var charset: String? {
        for parameter in contentType?.split(separator: ";").dropFirst() ?? [] {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, String(parts[0].trimmingBlanks).equalsIgnoringASCIICase("charset") else { continue }
            let value = parts[1].trimmingBlanks
            return String(value.first == "\"" ? value.dropFirst().prefix { $0 != "\"" } : value)
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
