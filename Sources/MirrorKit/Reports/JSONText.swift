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
        if text.utf8.contains(where: Self.mayNeedEscape) {
            for scalar in text.unicodeScalars { append(scalar) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Quotes, control characters, and the first bytes of what may steer a terminal: somebody looks at a report with
    /// `cat`.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xC2
            || byte == 0xD8 || byte == 0xE2
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\":
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        case "\n": raw("\\n")
        case _ where Printable.steers(scalar):
            // All of them are in the first plane: four digits are enough.
            raw("\\u")
            let digits = Array("0123456789abcdef".utf8)
            for shift in [12, 8, 4, 0] { bytes.append(digits[Int(scalar.value >> UInt32(shift) & 15)]) }
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
