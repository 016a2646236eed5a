// A declared checksum: what the source says a file's bytes hash to.

/// The checksum types of the manifest, strongest first.
public enum ChecksumAlgorithm: String, Sendable, CaseIterable {
    case sha512 = "sha-512"
    case sha384 = "sha-384"
    case sha256 = "sha-256"
    case sha1 = "sha-1"
    case md5
    case adler32

    /// The length of the value, in bytes.
    public var byteCount: Int {
        switch self {
        case .sha512: 64
        case .sha384: 48
        case .sha256: 32
        case .sha1: 20
        case .md5: 16
        case .adler32: 4
        }
    }
}

/// A checksum with its type, written `TYPE=HEX` in a manifest.
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
    /// How the value is computed.
    public let algorithm: ChecksumAlgorithm
    /// `algorithm.byteCount` bytes.
    public let value: [UInt8]

    /// Why a text is no checksum.
    package enum Problem: Error, Equatable, Sendable {
        case noEqualsSign, unknownType(String), wrongLength(ChecksumAlgorithm, digits: Int), notHexadecimal
    }

    package init(algorithm: ChecksumAlgorithm, value: [UInt8]) {
        self.algorithm = algorithm
        self.value = value
    }

    /// Reads `TYPE=HEX`; the type in any case, `sha256` for `sha-256` allowed.
    package init(parsing text: some StringProtocol) throws(Problem) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { throw .noEqualsSign }
        let type = String(text[..<equals])
        guard let algorithm = ChecksumAlgorithm(named: type) else { throw .unknownType(type) }
        try self.init(algorithm: algorithm, hex: text[text.utf8.index(after: equals)...])
    }

    package init(algorithm: ChecksumAlgorithm, hex: some StringProtocol) throws(Problem) {
        let digits = Array(hex.utf8)
        var value: [UInt8] = []
        value.reserveCapacity(algorithm.byteCount)
        guard digits.count == algorithm.byteCount * 2 else { throw .wrongLength(algorithm, digits: digits.count) }
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexValue, let low = digits[index + 1].hexValue else { throw .notHexadecimal }
            value.append(high << 4 | low)
        }
        self.init(algorithm: algorithm, value: value)
    }

    /// The value in small hexadecimal digits.
    public var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(value.count * 2)
        for byte in value {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// As a manifest writes it: `sha-256=…`.
    public var description: String { "\(algorithm.rawValue)=\(hex)" }
}

extension ChecksumAlgorithm {
    /// The type of that name, with or without its hyphen, in any case.
    package init?(named name: String) {
        let plain = name.asciiLowercased
        let found = Self.allCases.first { $0.rawValue == plain || $0.rawValue.filter { $0 != "-" } == plain }
        guard let found else { return nil }
        self = found
    }
}
