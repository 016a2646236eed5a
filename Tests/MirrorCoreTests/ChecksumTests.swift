// Declared checksums: every type of the manifest, and what is none.

import MirrorCore
import Testing

@Suite struct ChecksumTests {
    @Test(arguments: [
        ("sha-512", 64), ("sha-384", 48), ("sha-256", 32), ("sha-1", 20), ("md5", 16), ("adler32", 4),
    ])
    func types(_ row: (type: String, bytes: Int)) throws {
        let hex = String(repeating: "0f", count: row.bytes - 1) + "A5"
        let checksum = try Checksum(parsing: "\(row.type)=\(hex)")
        #expect(checksum.value == Array(repeating: 0x0F, count: row.bytes - 1) + [0xA5])
        #expect(checksum.description == "\(row.type)=\(hex.asciiLowercased)")
        #expect(try Checksum(parsing: checksum.description) == checksum)
        #expect(ChecksumAlgorithm.allCases.count == 6)
    }

    @Test(arguments: [
        ("SHA-256", "sha-256"), ("sha256", "sha-256"), ("Sha1", "sha-1"), ("MD5", "md5"),
        ("ADLER32", "adler32"),
    ])
    func typesInOtherWords(_ row: (written: String, type: String)) {
        #expect(ChecksumAlgorithm(named: row.written)?.rawValue == row.type)
    }

    @Test(
        arguments: [
            ("", .noEqualsSign),
            ("d41d8cd98f00b204e9800998ecf8427e", .noEqualsSign),
            ("crc32=00000000", .unknownType("crc32")),
            ("=00", .unknownType("")),
            (" md5=d41d8cd98f00b204e9800998ecf8427e", .unknownType(" md5")),
            ("md5=", .wrongLength(.md5, digits: 0)),
            ("md5=d41d8cd98f00b204e9800998ecf8427", .wrongLength(.md5, digits: 31)),
            ("md5=d41d8cd98f00b204e9800998ecf8427e0", .wrongLength(.md5, digits: 33)),
            ("sha-256=d41d8cd98f00b204e9800998ecf8427e", .wrongLength(.sha256, digits: 32)),
            ("md5=d41d8cd98f00b204e9800998ecf8427g", .notHexadecimal),
            ("md5=d41d8cd98f00b204e9800998ecf8427 ", .notHexadecimal),
            ("md5=0xd41d8cd98f00b204e9800998ecf842", .notHexadecimal),
            ("adler32=éééé", .notHexadecimal),
        ] as [(String, Checksum.Problem)])
    func refuses(_ row: (text: String, problem: Checksum.Problem)) {
        #expect(throws: row.problem) { try Checksum(parsing: row.text) }
    }

    @Test func typesTellValuesApart() throws {
        let hex = String(repeating: "00", count: 16)
        #expect(
            try Checksum(algorithm: .md5, hex: hex) == Checksum(algorithm: .md5, value: Array(repeating: 0, count: 16)))
        #expect(
            try Checksum(algorithm: .md5, hex: hex) != Checksum(algorithm: .md5, value: Array(repeating: 1, count: 16)))
    }
}
