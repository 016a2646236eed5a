// Numbers as people read them.

/// Bytes, counts and seconds in words.
public enum Amount {
    /// `1.4 GiB`, powers of 1024.
    public static func bytes(_ bytes: Int64) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        guard bytes >= 1024 else { return "\(bytes) B" }
        var value = Double(bytes) / 1024
        var unit = 0
        while value >= 1023.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return "\(oneDecimal(value)) \(units[unit])"
    }

    /// `1 file`, `10,000 files`.
    public static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
    }

    /// `0.5 s`, `2 min 5 s`, `3 h 10 min`.
    public static func seconds(_ seconds: Double) -> String {
        guard seconds >= 60 else { return "\(oneDecimal(max(seconds, 0))) s" }
        let whole = Int(min(seconds, 1e12))
        return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole / 60 % 60) min"
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func grouped(_ number: Int) -> String {
        var digits = Array(String(number))
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return String(digits)
    }
}
