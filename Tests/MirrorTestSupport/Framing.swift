// How an answer tells where its body ends (RFC 9112 section 6), rightly or wrongly.

/// The framing of a body.
package enum Framing: Sendable, Equatable {
    /// A right Content-Length.
    case length
    /// Content-Length larger (positive) or smaller (negative) than the body by so many bytes; then the connection ends.
    case lengthOff(by: Int64)
    /// These Content-Length values as they are: absurd, negative, several that disagree.
    case lengths([String])
    /// No word about the length and none about the connection, which ends after the body.
    case none
    /// `Connection: close`, and the body ends with the connection.
    case closeDelimited
    /// Transfer-Encoding: chunked.
    case chunked
    /// Chunked and a Content-Length too, which RFC 9112 section 6.3 forbids.
    case chunkedAndLength
    /// Chunked; the connection ends before the last chunk.
    case chunkedWithoutLast
    /// Chunked; the connection ends after `0 CRLF`, before the CRLF that ends the trailer.
    case chunkedCutInTrailer

    /// Content-Length says `bytes` more than there are.
    package static func contentLengthTooBig(by bytes: Int64) -> Framing { .lengthOff(by: bytes) }
    /// Content-Length says `bytes` fewer than there are.
    package static func contentLengthTooSmall(by bytes: Int64) -> Framing { .lengthOff(by: -bytes) }
}

extension Framing {
    var isChunked: Bool {
        switch self {
        case .chunked, .chunkedAndLength, .chunkedWithoutLast, .chunkedCutInTrailer: true
        default: false
        }
    }

    /// Whether another answer can follow on the connection.
    var keepsConnection: Bool { [.length, .chunked, .chunkedAndLength].contains(self) }

    /// The bytes after the last data of a chunked body.
    var chunkedEnd: String {
        switch self {
        case .chunked, .chunkedAndLength: "0\r\n\r\n"
        case .chunkedCutInTrailer: "0\r\n"
        default: ""
        }
    }

    func fields(for length: Int64) -> [Headers.Field] {
        let rightLength = Headers.Field("Content-Length", String(length))
        let coding = Headers.Field("Transfer-Encoding", "chunked")
        switch self {
        case .length: return [rightLength]
        case .lengthOff(let bytes): return [Headers.Field("Content-Length", String(length + bytes))]
        case .lengths(let values): return values.map { Headers.Field("Content-Length", $0) }
        case .none: return []
        case .closeDelimited: return [Headers.Field("Connection", "close")]
        case .chunked, .chunkedWithoutLast, .chunkedCutInTrailer: return [coding]
        case .chunkedAndLength: return [rightLength, coding]
        }
    }
}
