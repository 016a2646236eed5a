// Which algorithm a checksum list is of: by the tag of the line, by the name of the list, by the length of the digest.

import MirrorCore

/// Finds algorithms.
enum SumsAlgorithm {
    /// The lengths of all digests that lists have, in hexadecimal digits.
    static let digitCounts: Set<Int> = [32, 40, 56, 64, 96, 128]

    private static let byDigits: [Int: ChecksumAlgorithm] = [
        32: .md5, 40: .sha1, 64: .sha256, 96: .sha384, 128: .sha512,
    ]

    /// The algorithm that a tag names, as GNU, BSD and OpenSSL (`SHA2-256`) write it.
    static func tagged(_ tag: [UInt8]) -> ChecksumAlgorithm? {
        var name = String(decoding: tag, as: UTF8.self).asciiLowercased
        if name.utf8.starts(with: "sha2-".utf8) { name = "sha-\(name.dropFirst(5))" }
        return name.utf8.elementsEqual("adler32".utf8) ? nil : ChecksumAlgorithm(named: name)
    }

    static func untagged(digits: Int) -> ChecksumAlgorithm? { byDigits[digits] }

    /// The algorithm that the name of a list names and that is not known here, such as `B2SUMS`; its digests look like
    /// those of another one.
    static func unknown(inName name: [UInt8]) -> String? {
        let words = name.map(\.asciiLowercased).split { !$0.isASCIILetter && !$0.isASCIIDigit }
        let known = ["sha512", "sha384", "sha256", "sha1", "md5"]
        if words.contains(where: { word in known.contains { word.starts(with: $0.utf8) } }) { return nil }
        let unknown = [
            "blake2", "blake3", "b2", "b3", "sm3", "sha3", "sha224", "shake", "rmd160", "ripemd", "whirlpool",
        ]
        for word in words {
            let plain = word.suffix(4).elementsEqual("sums".utf8) ? word.dropLast(4) : word
            let isShort = plain.count <= 2
            if let found = unknown.first(where: {
                isShort ? plain.elementsEqual($0.utf8) : $0.utf8.count > 2 && plain.starts(with: $0.utf8)
            }) {
                return found
            }
        }
        return nil
    }
}
