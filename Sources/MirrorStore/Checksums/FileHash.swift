// Checksums of whole files, read in large steps.

import CCrypto
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
        guard let digest = digest(algorithm) else {
            var sum = Adler32()
            try feed(read) { sum.update($0) }
            return Checksum(algorithm: algorithm, value: sum.bytes)
        }
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, digest, nil) == 1 else {
            throw .unavailable(algorithm)
        }
        defer { EVP_MD_CTX_free(context) }
        try feed(read) { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        var value = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &value, &count) == 1, Int(count) == algorithm.byteCount else {
            throw .unavailable(algorithm)
        }
        return Checksum(algorithm: algorithm, value: Array(value.prefix(Int(count))))
    }

    private static func digest(_ algorithm: ChecksumAlgorithm) -> OpaquePointer? {
        switch algorithm {
        case .sha512: EVP_sha512()
        case .sha384: EVP_sha384()
        case .sha256: EVP_sha256()
        case .sha1: EVP_sha1()
        case .md5: EVP_md5()
        case .adler32: nil
        }
    }

    private static func feed<Ignored>(
        _ read: (UnsafeMutableRawBufferPointer, Int64) throws(Failure) -> Int,
        _ take: (UnsafeRawBufferPointer) -> Ignored
    ) throws(Failure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try read(buffer, offset)
            guard count > 0 else { return }
            _ = take(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
            offset += Int64(count)
        }
    }
}

extension Failure {
    /// A system may forbid the weak ones.
    fileprivate static func unavailable(_ algorithm: ChecksumAlgorithm) -> Failure {
        Failure(.unsupported, "this system's libcrypto does not compute \(algorithm.rawValue)")
    }
}
