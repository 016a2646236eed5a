// Adler-32 (RFC 1950 section 8.2): the weakest of the manifest's checksums, and not one of libcrypto's.

/// A running Adler-32.
package struct Adler32 {
    private static let modulus: UInt32 = 65_521
    /// The most bytes whose sums fit 32 bits before they must be reduced.
    private static let stretch = 5_552

    private var low: UInt32 = 1
    private var high: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            for byte in rest.prefix(Self.stretch) {
                low &+= UInt32(byte)
                high &+= low
            }
            low %= Self.modulus
            high %= Self.modulus
            rest = rest.dropFirst(Self.stretch)
        }
    }

    /// The checksum of what came so far, most significant byte first.
    package var bytes: [UInt8] {
        let value = high << 16 | low
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
