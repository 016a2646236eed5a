// What a resource holds: given bytes, or bytes computed from their offset, so that a file of 5 GiB needs neither
// memory nor disk on the origin's side nor a copy on the test's side.

/// The content of a resource.
package enum Body: Sendable {
    case bytes([UInt8])
    /// `length` bytes of `SyntheticBytes(seed:)`.
    case synthetic(length: Int64, seed: UInt64)

    /// A body of UTF-8 text.
    package static func text(_ text: String) -> Body { .bytes(Array(text.utf8)) }

    /// Length in bytes.
    package var length: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .synthetic(let length, _): length
        }
    }

    /// The byte at `offset`, which must lie inside the body.
    package func byte(at offset: Int64) -> UInt8 {
        precondition(offset >= 0 && offset < length)
        switch self {
        case .bytes(let bytes): return bytes[Int(offset)]
        case .synthetic(_, let seed): return SyntheticBytes(seed: seed).byte(at: offset)
        }
    }

    /// Fills `buffer` with the bytes from `offset` on; all of them must lie inside the body.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int64) {
        precondition(offset >= 0 && offset + Int64(buffer.count) <= length)
        switch self {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { source in
                let first = Int(offset)
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first..<first + buffer.count]))
            }
        case .synthetic(_, let seed):
            SyntheticBytes(seed: seed).fill(buffer, from: offset)
        }
    }

    /// A copy of the bytes in `range`, which must lie inside the body.
    package func bytes(in range: Range<Int64>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            fill(
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<range.count]),
                from: range.lowerBound)
            count = range.count
        }
    }

    /// A copy of all bytes.
    package var allBytes: [UInt8] { bytes(in: 0..<length) }
}
