// A checksum over bytes that come in pieces, by libcrypto where it knows the algorithm.

import CCrypto
import MirrorCore

/// A checksum that is being computed. Used by one thread at a time.
package final class RunningHash {
    private let algorithm: ChecksumAlgorithm
    private let context: OpaquePointer?
    private var sum = Adler32()

    /// Throws where the system does not compute it: it may forbid the weak ones.
    package init(_ algorithm: ChecksumAlgorithm) throws(Failure) {
        self.algorithm = algorithm
        guard let digest = Self.digest(algorithm) else {
            context = nil
            return
        }
        guard let context = EVP_MD_CTX_new() else { throw .unavailable(algorithm) }
        guard EVP_DigestInit_ex(context, digest, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw .unavailable(algorithm)
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        if let context {
            EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        } else {
            sum.update(bytes)
        }
    }

    /// To be called once, at the end.
    package func finish() throws(Failure) -> Checksum {
        guard let context else { return Checksum(algorithm: algorithm, value: sum.bytes) }
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
}

extension Failure {
    fileprivate static func unavailable(_ algorithm: ChecksumAlgorithm) -> Failure {
        Failure(.unsupported, "this system's libcrypto does not compute \(algorithm.rawValue)")
    }
}
