// Bytes that are on disk and are fetched once more, to be compared: the proof that old and new bytes are of one file.

/// How much is fetched again, and how much of it proves something.
package enum Overlap {
    /// Bytes before the first missing one that are fetched again, where there are so many (SPEC section 3).
    package static let length: Int64 = 16 << 10
    /// Fewer bytes than this are equal in two files by chance: they begin or go on alike.
    package static let least: Int64 = 4 << 10

    /// Whether equal bytes are a proof by themselves, where the server names no state: so many, or all that there can be.
    /// - Parameter offset: where they end.
    package static func proves(_ bytes: Int64, before offset: Int64) -> Bool {
        bytes > 0 && bytes >= min(least, offset)
    }
}
