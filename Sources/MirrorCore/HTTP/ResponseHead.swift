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
    /// A line for each field, should there be several.
    package var retryAfter: String?
    package var location: String?
    package var contentDisposition: String?
    package var age: String?
    package var via: String?
    /// Whether nothing but the end of the connection tells where the body ends (RFC 9112 section 6.3).
    package var endsWithConnection = false
    /// Whether the lengths that the server names are none, or several that differ: then nobody knows which bytes follow
    /// (RFC 9112 section 6.3).
    package var hasInvalidLength = false

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

    /// Retry-After in a form that no clock of ours takes part in: a date is counted from the answer's own Date, where it
    /// has one.
    package var relativeRetryAfter: String? {
        guard let sent = validators.date else { return retryAfter }
        return retryAfter?.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let date = HTTPDate(String(line)) else { return String(line) }
            let (wait, overflow) = date.seconds.subtractingReportingOverflow(sent.seconds)
            return overflow ? String(line) : String(max(wait, 0))
        }.joined(separator: "\n")
    }

    /// Whether the body is coded in some way, so that its length says nothing about the file's.
    package var isEncoded: Bool {
        contentEncoding?.split(separator: ",").contains { coding in
            let name = coding.utf8.filter { $0 > 0x20 }
            return !name.isEmpty && !String(decoding: name, as: UTF8.self).equalsIgnoringASCIICase("identity")
        } ?? false
    }

    /// What caches on the way say of themselves (RFC 9111 section 5.1, RFC 9110 section 7.6.3).
    package var cacheNote: String? {
        let words = [age.map { "Age: \($0.prefix(20))" }, via.map { "Via: \($0.prefix(80))" }].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// Whether the server said that it takes no ranges. Saying that it does is a hint only.
    package var refusesRanges: Bool { acceptRanges?.equalsIgnoringASCIICase("none") ?? false }

    /// The media type without its parameters, in small letters.
    package var mediaType: String? {
        contentType.map { type in
            String(decoding: type.utf8.prefix { !"; \t".utf8.contains($0) }, as: UTF8.self).asciiLowercased
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
