// A name for each run.

/// Makes run identifiers.
enum RunID {
    /// 16 hexadecimal digits by chance.
    static func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
