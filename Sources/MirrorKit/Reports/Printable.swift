// Text from outside on its way to a terminal.

/// Makes text safe to show: control characters could move the cursor or change what was shown before, and characters
/// that turn the direction of writing round could make a name look like another.
public enum Printable {
    /// The text with such characters as `\\x…` in visible form.
    public static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: steers) else { return text }
        return text.unicodeScalars.map { steers($0) ? "\\x" + String($0.value, radix: 16) : String($0) }.joined()
    }

    /// Whether a terminal would obey the character in place of showing it.
    static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F...0x9F: true
        // The nine Bidi_Control characters (Unicode Standard Annex 9).
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
