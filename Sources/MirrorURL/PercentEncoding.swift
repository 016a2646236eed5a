// Percent-encoding of bytes (RFC 3986 section 2.1).

import MirrorCore

/// What is encoded, and how.
enum PercentEncoding {
    /// The bytes that mean the same in every part of a URL (RFC 3986 section 2.3).
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 0x40 ? digitsAndMarks : lettersAndMarks) >> UInt64(byte & 0x3F) & 1 == 1
    }

    // One bit for each byte, for names are many: `-`, `.` and 0…9; A…Z, `_`, a…z and `~`.
    private static let digitsAndMarks: UInt64 = 0x03FF_6000_0000_0000
    private static let lettersAndMarks: UInt64 = 0x47FF_FFFE_87FF_FFFE

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
