// Percent-encoding of bytes (RFC 3986 section 2.1).

import MirrorCore

/// What is encoded, and how.
enum PercentEncoding {
    /// The bytes that mean the same in every part of a URL (RFC 3986 section 2.3).
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }

    static let digits = Array("0123456789ABCDEF".utf8)
}

extension Sequence<UInt8> {
    /// The bytes with all that are not unreserved percent-encoded.
    package func percentEncoded() -> [UInt8] {
        var encoded: [UInt8] = []
        for byte in self {
            if PercentEncoding.isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(PercentEncoding.digits[Int(byte >> 4)])
                encoded.append(PercentEncoding.digits[Int(byte & 15)])
            }
        }
        return encoded
    }
}
