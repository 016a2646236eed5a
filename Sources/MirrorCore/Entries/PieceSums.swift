// Checksums of the pieces of a file, as Metalinks list them. They say which part of a file is wrong, and prove the whole
// where it has no checksum of its own.

/// Checksums of consecutive pieces of equal length; the last one may be shorter.
package struct PieceSums: Sendable, Equatable {
    package let algorithm: ChecksumAlgorithm
    /// Of one piece, in bytes.
    package let length: Int64
    /// One checksum after another.
    package private(set) var values: [UInt8] = []

    package init(algorithm: ChecksumAlgorithm, length: Int64) {
        self.algorithm = algorithm
        self.length = length
    }

    package var count: Int { values.count / algorithm.byteCount }

    /// The checksum of a piece, from 0.
    package subscript(index: Int) -> Checksum {
        let start = index * algorithm.byteCount
        return Checksum(algorithm: algorithm, value: Array(values[start..<start + algorithm.byteCount]))
    }

    /// Takes the checksum of the next piece; false where it is none of the type.
    package mutating func append(hex: some StringProtocol) -> Bool {
        guard let checksum = try? Checksum(algorithm: algorithm, hex: hex) else { return false }
        values += checksum.value
        return true
    }

    /// Whether there is one checksum for each piece of a file of that many bytes.
    package func fits(size: Int64) -> Bool {
        length > 0 && count > 0 && Int64(count) == size / length + (size % length == 0 ? 0 : 1)
    }
}
