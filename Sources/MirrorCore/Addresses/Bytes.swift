// Comparison of text by its bytes. Swift compares Strings by canonical equivalence: `e` with an accent in one
// code point equals the same letter in two. File names and URLs that differ in bytes are different, so no name,
// address or validator is ever compared with `==` on String.

extension String {
    /// Whether both are the same UTF-8 bytes.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Calls with the UTF-8 bytes where they are.
    // Inlined, a call for each name of a listing counts no owners of the text.
    @inlinable @inline(__always)
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        if let value = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return value }
        // Only a string of Objective-C has none at hand.
        return Array(utf8).withUnsafeBytes { body($0) }
    }

    /// Feeds the UTF-8 bytes, and nothing that normalises them, to a hasher.
    @inlinable
    package func hashBytes(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        hasher.combine(UInt8(0xFF))
    }

    /// Whether both are the same bytes when ASCII capitals count as small letters (HTTP field names, schemes).
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The text with ASCII capitals made small; other letters stay as they are.
    package var asciiLowercased: String {
        guard utf8.contains(where: { $0.isASCIIUppercase }) else { return self }
        return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }
}

extension UInt8 {
    @inlinable package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
    @inlinable package var isASCIIUppercase: Bool { self >= 0x41 && self <= 0x5A }
    @inlinable package var isASCIILetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
    @inlinable package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }

    /// The value of a hexadecimal digit.
    @inlinable package var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self &- 0x30
        case 0x41...0x46: self &- 0x41 &+ 10
        case 0x61...0x66: self &- 0x61 &+ 10
        default: nil
        }
    }
}
