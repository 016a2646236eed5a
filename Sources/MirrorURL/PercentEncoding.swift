// Percent-encoding of bytes (RFC 3986 section 2.1).

import MirrorCore

/// What is encoded, and how.
enum PercentEncoding {
    /// The bytes that mean the same in every part of a URL (RFC 3986 section 2.3).
    static let isUnreserved = (0...255).map { byte in
        let byte = UInt8(byte)
        return byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
    }

    static let digits = Array("0123456789ABCDEF".utf8)
}

extension Sequence<UInt8> {
    /// The bytes with all that are not unreserved percent-encoded.
    package func percentEncoded() -> [UInt8] {
        var encoded: [UInt8] = []
        for byte in self {
            if PercentEncoding.isUnreserved[Int(byte)] {
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
