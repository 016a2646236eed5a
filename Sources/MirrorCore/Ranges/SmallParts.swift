// Parts that are right but so small that a file would take requests without end: servers that cap ranges at a few bytes.

/// The parts of one file from one URL that were cut short.
package struct SmallParts: Sendable, Equatable {
    /// So many in a row are no chance any more: caches that work in blocks send one small part where a range begins just
    /// before the end of a block.
    package static let limit = 8
    /// A part of fewer bytes is never worth its request.
    package static let smallest: Int64 = 4 << 10
    /// A part of so many bytes always is.
    package static let largest: Int64 = 1 << 20
    /// Requests that a file may take.
    package static let mostRequests: Int64 = 65_536

    private var count = 0

    package init() {}

    /// Notes a part that was right.
    /// - Parameters:
    ///   - bytes: of the missing ones that it had.
    ///   - missing: that are missing now, of all the file.
    ///   - isCapped: whether it had less than was asked for.
    /// - Returns: whether ranges are of no use here.
    package mutating func isHopeless(_ bytes: Int64, missing: Int64, isCapped: Bool) -> Bool {
        let worth = max(Self.smallest, min(Self.largest, missing / Self.mostRequests))
        count = isCapped && bytes < worth ? count + 1 : 0
        return count >= Self.limit
    }
}
