// Header lines in, a ResponseHead out. Only the fields that a decision needs are kept; the others cost a glance.

import MirrorCore

/// Collects the lines of one response after another; the last response is the one that counts.
package struct HeaderParser {
    private var fields = ResponseHead(status: 0)
    private var hasBegun = false
    private var hasEnded = false
    /// Bytes of all lines so far.
    private var size = 0
    private var lengths = LengthClaim.none
    private var coding = TransferCoding.none
    private var isChunked: Bool { coding == .chunked }
    /// Later versions frame every body.
    private var isHTTP1 = false

    /// No real response head comes near this many bytes, interim answers before it included; a server that sends more
    /// means harm. Less than the 300 KiB at which libcurl itself gives up, as if the connection had failed.
    static let largestHead = 256 << 10

    private enum LengthClaim: Equatable {
        case none, one(Int64), contradictory
    }

    /// The last transfer coding, which is the one that frames the body.
    private enum TransferCoding: Equatable {
        case none, chunked, other
    }

    package init() {}

    /// The last response's head; nil unless it came whole. libcurl is content with one that the end of the connection
    /// cut short.
    package var head: ResponseHead? { hasEnded ? fields : nil }

    /// - Returns: false when the head is larger than any real one.
    package mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        size += line.count
        guard size <= Self.largestHead else { return false }
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            hasEnded = hasBegun
            if coding != .none { fields.contentLength = nil }
            fields.endsWithConnection = isHTTP1 && (coding == .other || coding == .none && lengths == .none)
            fields.hasInvalidLength = lengths == .contradictory && !isChunked
        } else if !hasBegun || hasEnded {
            // Only the first line of a head is a status line, for libcurl as well.
            if line.starts(with: "HTTP/".utf8) { beginResponse(line) }
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            addField(name: line[..<colon], value: trimmed(line[(colon + 1)...]))
        }
        return true
    }

    /// `HTTP/1.1 206 Partial Content`: whatever came before was an interim answer, a proxy's, or one that libcurl
    /// answered with credentials.
    private mutating func beginResponse(_ line: UnsafeRawBufferPointer) {
        let code = line.drop { $0 != 0x20 }.dropFirst().prefix(while: \.isASCIIDigit)
        fields = ResponseHead(status: Int(clamping: Int64(digits: code) ?? 0))
        hasBegun = true
        hasEnded = false
        lengths = .none
        coding = .none
        isHTTP1 = line.starts(with: "HTTP/1.".utf8)
    }

    private mutating func addField(name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>) {
        guard hasBegun else { return }
        // The length tells most fields apart before a byte is compared.
        switch name.count {
        case 3 where name.equals("age"): fields.age = text(value)
        case 3 where name.equals("via"): fields.via = text(value)
        case 4 where name.equals("etag"): fields.validators.etag = valid(value).flatMap { EntityTag($0) }
        case 4 where name.equals("date"): fields.validators.date = HTTPDate(text(value))
        case 8 where name.equals("location"): fields.location = text(value)
        case 11 where name.equals("retry-after"):
            fields.retryAfter = (fields.retryAfter.map { $0 + "\n" } ?? "") + text(value)
        case 12 where name.equals("content-type"): fields.contentType = text(value)
        case 13 where name.equals("last-modified"): fields.validators.lastModified = valid(value)
        case 13 where name.equals("content-range"): addRange(value)
        case 13 where name.equals("accept-ranges"): fields.acceptRanges = text(value)
        case 14 where name.equals("content-length"): addLength(value)
        case 16 where name.equals("content-encoding"):
            // Several lines are one list (RFC 9110 section 5.3).
            fields.contentEncoding = (fields.contentEncoding.map { $0 + ", " } ?? "") + text(value)
        case 17 where name.equals("transfer-encoding"): addCodings(value)
        case 19 where name.equals("content-disposition"): fields.contentDisposition = text(value)
        default: break
        }
    }

    /// Several lengths that differ are none, in one line or in many, and a length beside a transfer coding means nothing
    /// (RFC 9112 section 6.3).
    private mutating func addLength(_ value: Slice<UnsafeRawBufferPointer>) {
        for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let length = Int64(digits: trimmed(part)) else {
                lengths = .contradictory
                fields.contentLength = nil
                return
            }
            lengths = lengths == .none || lengths == .one(length) ? .one(length) : .contradictory
            claim(length)
        }
    }

    private mutating func claim(_ length: Int64) {
        fields.contentLength = lengths == .one(length) ? length : nil
    }

    /// A body whose last coding is not chunked ends with the connection, whatever length is named (RFC 9112 section 6.3).
    /// `identity` is none.
    private mutating func addCodings(_ value: Slice<UnsafeRawBufferPointer>) {
        for part in value.split(separator: UInt8(ascii: ",")) {
            let name = trimmed(part.prefix { $0 != UInt8(ascii: ";") })
            guard !name.isEmpty, !name.equals("identity") else { continue }
            coding = name.equals("chunked") ? .chunked : .other
        }
    }

    /// Several that differ say nothing that could be read.
    private mutating func addRange(_ value: Slice<UnsafeRawBufferPointer>) {
        let range = text(value)
        fields.contentRange = fields.contentRange.map { $0 == range ? range : "\($0), \(range)" } ?? range
    }
}

private func trimmed(_ value: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    var value = value
    while let byte = value.first, byte <= 0x20 { value = value.dropFirst() }
    while let byte = value.last, byte <= 0x20 { value = value.dropLast() }
    return value
}

private func text(_ value: Slice<UnsafeRawBufferPointer>) -> String { String(decoding: value, as: UTF8.self) }

/// A validator goes back to the server byte for byte or not at all. libcurl ends a line at LF, so that a CR may be left.
private func valid(_ value: Slice<UnsafeRawBufferPointer>) -> String? {
    guard !value.isEmpty, let text = String(validating: value, as: UTF8.self) else { return nil }
    return HeaderField.isValue(text) ? text : nil
}

extension Slice<UnsafeRawBufferPointer> {
    /// Compares with a name in small letters.
    fileprivate func equals(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { small in zip(self, small).allSatisfy { $0.asciiLowercased == $1 } }
    }
}
