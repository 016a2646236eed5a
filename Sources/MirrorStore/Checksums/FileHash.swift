// Checksums of whole files, read in large steps.

import MirrorCore

/// The checksum of a file.
enum FileHash {
    /// Bytes read at once.
    private static let step = 1 << 20

    /// - Parameter read: fills a buffer from an offset on and returns how much it got; 0 at the end.
    static func checksum(
        _ algorithm: ChecksumAlgorithm,
        _ read: (UnsafeMutableRawBufferPointer, Int64) throws(Failure) -> Int
    ) throws(Failure) -> Checksum {
        let hash = try RunningHash(algorithm)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try read(buffer, offset)
            guard count > 0 else { return try hash.finish() }
            hash.update(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
            offset += Int64(count)
        }
    }
}
