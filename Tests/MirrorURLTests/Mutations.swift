/// Deterministic damage to bytes: the same in every run (SplitMix64).
struct Mutations {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) >> 33) % max(bound, 1)
    }

    private static let likely = Array("%/?#@:[]&=;.*\t\r\n \\\"{}<>".utf8) + [0, 0x80, 0xC3, 0xE9, 0xFF]

    /// A few bytes changed, removed, doubled or put in.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
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
