// Searching and comparing bytes of a source, at the speed of the C library: a source may have a million lines.

import Glibc
import MirrorCore

extension Slice where Base == UnsafeRawBufferPointer {
    /// The position of the first such byte.
    package func position(of byte: UInt8) -> Int? {
        guard let start = base.baseAddress, !isEmpty,
            let found = memchr(start + startIndex, Int32(byte), count)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }

    /// Whether both are the same bytes.
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let start = base.baseAddress, let otherStart = other.baseAddress else {
            return isEmpty && other.isEmpty
        }
        return memcmp(start + startIndex, otherStart, count) == 0
    }

    /// Whether both are the same bytes.
    func hasSameBytes(as other: [UInt8]) -> Bool { other.withUnsafeBytes { hasSameBytes(as: $0) } }
}

extension [UInt8] {
    /// Whether the bytes start with these.
    func startsWith(bytes other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return withUnsafeBytes { $0[..<other.count].hasSameBytes(as: other) }
    }
}

extension String {
    /// Whether one of its bytes is this one.
    func has(_ byte: UInt8) -> Bool { withBytes { $0[...].position(of: byte) != nil } }

    /// Whether this comes before another one in the order of bytes.
    package func precedes(_ other: String) -> Bool {
        withBytes { left in
            other.withBytes { right in
                guard let start = left.baseAddress, let otherStart = right.baseAddress else {
                    return left.count < right.count
                }
                let order = memcmp(start, otherStart, min(left.count, right.count))
                return order < 0 || order == 0 && left.count < right.count
            }
        }
    }
}
