// Percent-decoding of bytes (RFC 3986 section 2.1), once. A `%` that starts no escape stays as it is.

import MirrorCore

extension Collection<UInt8> {
    /// The bytes with every escape replaced by what it stands for.
    package func percentDecoded() -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(count)
        var index = startIndex
        while index != endIndex {
            let byte = self[index]
            formIndex(after: &index)
            if byte == UInt8(ascii: "%"), let value = escape(at: index) {
                decoded.append(value)
                formIndex(&index, offsetBy: 2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    private func escape(at index: Index) -> UInt8? {
        guard index != endIndex, let high = self[index].hexValue else { return nil }
        let second = self.index(after: index)
        guard second != endIndex, let low = self[second].hexValue else { return nil }
        return high << 4 | low
    }
}
