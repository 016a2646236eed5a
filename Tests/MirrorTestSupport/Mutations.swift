// Damage to bytes that is the same in every run of a test.

/// Deterministic damage to bytes.
package struct Mutations {
    private var numbers: SeededNumbers

    package init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    package mutating func next(below bound: Int) -> Int { Int(numbers.next() >> 33) % max(bound, 1) }

    private static let likely = Array("%/?#@:[]&=;.*\t\r\n \\\"{}<>".utf8) + [0, 0x80, 0xC3, 0xE9, 0xFF]

    /// A few bytes changed, removed, doubled or put in.
    package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...next(below: 5) where !bytes.isEmpty {
            let index = next(below: bytes.count)
            let byte = next(below: 2) == 0 ? Self.likely[next(below: Self.likely.count)] : UInt8(next(below: 256))
            switch next(below: 5) {
            case 0: bytes[index] = byte
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(byte, at: index)
            case 3: bytes.insert(contentsOf: bytes[index..<min(index + 9, bytes.count)], at: index)
            default: bytes.removeSubrange(index..<min(index + 4, bytes.count))
            }
        }
        return bytes
    }
}
