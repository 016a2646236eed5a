// The pieces of a file against the checksums that its source lists for them: which ones are wrong.

import MirrorCore
import MirrorThreads

/// What is wrong with the pieces of a file.
package struct PieceFaults: Sendable, Equatable {
    /// How many are wrong.
    package internal(set) var count = 0
    /// Where the first one of them begins, in bytes.
    package internal(set) var first: Int64?
}

extension FileHash {
    /// - Parameter read: fills a buffer from an offset on and returns how much it got; 0 at the end.
    static func faults(
        in sums: PieceSums, _ read: (UnsafeMutableRawBufferPointer, Int64) throws(Failure) -> Int
    ) throws(Failure) -> PieceFaults {
        var faults = PieceFaults()
        for index in 0..<sums.count {
            let start = Int64(index) * sums.length, end = start + sums.length
            let found = try checksum(sums.algorithm) { (buffer, offset) throws(Failure) in
                let rest = min(Int64(buffer.count), end - start - offset)
                guard rest > 0 else { return 0 }
                return try read(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(rest))), start + offset)
            }
            if found == sums[index] { continue }
            faults.count += 1
            faults.first = faults.first ?? start
        }
        return faults
    }
}

extension Store {
    /// Hashes the pieces of a partial file, on the hashing thread.
    package func pieceFaults(in partial: PartialFile, _ sums: PieceSums) async -> Result<PieceFaults, Failure> {
        await withUnsafeContinuation { continuation in
            if hashing?.add(.pieces(partial, sums, continuation)) != true {
                continuation.resume(returning: .failure(.notOpen))
            }
        }
    }
}
