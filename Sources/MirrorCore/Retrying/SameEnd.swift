// Answers that end at the same offset each time: there is a limit on the way that no retry passes, and each try costs all
// the bytes before it.

/// The ends of a file's attempts in a row.
package struct SameEnd: Sendable, Equatable {
    /// Attempts that may end at one offset. Chance does not hit the same byte three times.
    package static let limit = 3
    /// Bytes that an attempt may fetch for nothing without being counted.
    package static let smallestWaste: Int64 = 256 << 10

    private var offset: Int64 = -1
    private var count = 0

    package init() {}

    /// Notes the end of an attempt that did not move forward.
    /// - Parameters:
    ///   - offset: how many bytes of the file are there.
    ///   - wasted: bytes that it fetched all the same.
    /// - Returns: whether another attempt would only be more of this.
    package mutating func isStuck(at offset: Int64, wasted: Int64) -> Bool {
        guard wasted >= Self.smallestWaste else { return false }
        count = offset == self.offset ? count + 1 : 1
        self.offset = offset
        return count >= Self.limit - 1
    }
}
