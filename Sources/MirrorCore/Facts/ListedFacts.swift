// What an index says of a file, where it says it exactly. Sizes that are rounded and times without seconds or zone are
// hints for people: they never become facts.

/// Size and time of a file by its index. Small, for a listing may have a million of them.
package struct ListedFacts: Sendable, Hashable {
    @usableFromInline var storedSize: Int64
    @usableFromInline var storedModified: Int64

    /// - Parameters:
    ///   - size: bytes, not negative.
    ///   - modified: seconds since 1970, UTC.
    @inlinable
    package init(size: Int64? = nil, modified: Int64? = nil) {
        storedSize = size ?? -1
        storedModified = modified ?? .min
    }

    /// Bytes.
    package var size: Int64? { storedSize < 0 ? nil : storedSize }
    /// Seconds since 1970, UTC.
    package var modified: Int64? { storedModified == .min ? nil : storedModified }
}
