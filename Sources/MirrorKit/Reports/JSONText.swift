// JSON as bytes, written front to back. An encoder that builds a tree first is far too slow for a large report.

/// Appends JSON to a buffer (RFC 8259).
struct JSONText {
    private(set) var bytes: [UInt8] = []
    /// Whether the next value of the current object or array needs a comma.
    private var needsComma = false
    private var needsNewline = false

    /// Takes out what was written so far.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func raw(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        breakLine()
        needsComma = true
    }

    /// - Parameter name: needs no escapes.
    mutating func key(_ name: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        raw("\":")
        needsComma = false
    }

    mutating func openObject() { open(UInt8(ascii: "{")) }
    mutating func closeObject() { close(UInt8(ascii: "}")) }
    mutating func openArray() { open(UInt8(ascii: "[")) }
    mutating func closeArray() { close(UInt8(ascii: "]")) }

    /// What comes next starts on a line of its own, for readers of the file.
    mutating func newline() { needsNewline = true }

    /// The end of the file ends its last line.
    mutating func finish() { bytes.append(0x0A) }

    private mutating func breakLine() {
        if needsNewline { bytes.append(0x0A) }
        needsNewline = false
    }

    private mutating func open(_ byte: UInt8) {
        comma()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        breakLine()
        bytes.append(byte)
        needsComma = true
    }

    mutating func value(_ number: some FixedWidthInteger) {
        comma()
        bytes.append(contentsOf: String(number).utf8)
    }

    mutating func value(_ flag: Bool) {
        comma()
        raw(flag ? "true" : "false")
    }

    /// Seconds with three decimals.
    mutating func seconds(_ seconds: Double) {
        comma()
        let milliseconds = Int64(min(max(seconds, 0), 1e12) * 1000)
        let fraction = String(milliseconds % 1000)
        let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
        bytes.append(contentsOf: "\(milliseconds / 1000).\(zeros)\(fraction)".utf8)
    }

    mutating func value(_ text: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: Self.needsEscape) {
            for byte in text.utf8 { escape(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: raw("\\n")
        case 0x00..<0x20, 0x7F:
            let digits = Array("0123456789abcdef".utf8)
            raw("\\u00")
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
