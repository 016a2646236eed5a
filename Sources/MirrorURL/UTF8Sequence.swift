// Which bytes are UTF-8. Swift's own decoding repairs what is not, and so would give two names one text.

/// The well-formed byte sequences of UTF-8 (Unicode, table 3-7).
enum UTF8Sequence {
    /// The length of the well-formed sequence that starts at an index; 0 where none does.
    static func length(at index: Int, of bytes: [UInt8]) -> Int {
        guard index < bytes.count else { return 0 }
        switch bytes[index] {
        case 0...0x7F: return 1
        case 0xC2...0xDF: return isSequence(bytes, index, 2) ? 2 : 0
        case 0xE0: return isSequence(bytes, index, 3, second: 0xA0...0xBF) ? 3 : 0
        case 0xED: return isSequence(bytes, index, 3, second: 0x80...0x9F) ? 3 : 0
        case 0xE1...0xEF: return isSequence(bytes, index, 3) ? 3 : 0
        case 0xF0: return isSequence(bytes, index, 4, second: 0x90...0xBF) ? 4 : 0
        case 0xF1...0xF3: return isSequence(bytes, index, 4) ? 4 : 0
        case 0xF4: return isSequence(bytes, index, 4, second: 0x80...0x8F) ? 4 : 0
        default: return 0
        }
    }

    private static func isSequence(
        _ bytes: [UInt8], _ index: Int, _ length: Int, second: ClosedRange<UInt8> = 0x80...0xBF
    ) -> Bool {
        guard bytes.count - index >= length, second.contains(bytes[index + 1]) else { return false }
        return bytes[(index + 2)..<(index + length)].allSatisfy { (0x80...0xBF).contains($0) }
    }
}
