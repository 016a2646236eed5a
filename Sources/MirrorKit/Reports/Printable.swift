// Text from outside on its way to a terminal.

/// Makes text safe to show: control characters could move the cursor or change what was shown before.
public enum Printable {
    /// The text with control characters as `\u{…}` in visible form.
    public static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? "\\x" + String($0.value, radix: 16) : String($0) }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
