// How the missing bytes of one file are shared between parallel requests. Ranges are cut into shares of bounded
// size that wait in a queue: a fast connection takes more of them than a slow one, and no connection is left with a
// long rest at the end.

/// The shares of a file that no request has taken yet, in the order of the file.
package struct RangeQueue: Sendable, Equatable {
    package private(set) var shares: [ByteRange] = []

    /// Shares end on multiples of this, in bytes, so that a checksum block is seldom cut by two requests.
    package static let alignment: Int64 = 1 << 20
    /// The largest share, in bytes. Large enough that a request for each costs nothing, small enough that the last
    /// one does not keep a single connection busy for long.
    package static let largestShare: Int64 = 64 << 20
    /// How many shares a file has at most, but for those that holes make: the size of a file is the server's word, and
    /// no word of a server fills the memory. Shares of files beyond 256 GiB grow.
    package static let mostShares: Int64 = 4096

    package init() {}

    /// - Parameters:
    ///   - missing: what is to be fetched, sorted and disjoint.
    ///   - split: how many requests will take shares at once, at least 1.
    ///   - minimum: no share is smaller, in bytes, unless what is missing is smaller itself.
    package init(missing: [ByteRange], split: Int, minimum: Int64) {
        let total = missing.reduce(Int64(0)) { $0 + $1.count }
        let even = total / Int64(max(split, 1))
        let smallest = max(minimum, total / Self.mostShares, 1)
        let size = Self.rounded(min(max(even, smallest), max(Self.largestShare, smallest)))
        for range in missing { append(range, shareSize: size, minimum: max(minimum, 1)) }
    }

    private static func rounded(_ size: Int64) -> Int64 {
        guard size > alignment, size < Int64.max - alignment else { return size }
        return (size + alignment - 1) / alignment * alignment
    }

    private mutating func append(_ range: ByteRange, shareSize: Int64, minimum: Int64) {
        var first = range.first
        while first < range.end {
            var end = range.end
            if range.end - first > shareSize {
                end = first + shareSize
                // Up and never down, or the first share would be smaller than the minimum.
                let beyond = end % Self.alignment
                if shareSize > Self.alignment, beyond > 0 {
                    end += min(Self.alignment - beyond, range.end - end)
                }
                // A rest below the minimum is not worth a request of its own.
                if range.end - end < minimum { end = range.end }
            }
            guard let share = ByteRange(first: first, end: end) else { return }
            shares.append(share)
            first = end
        }
    }

    package var isEmpty: Bool { shares.isEmpty }

    package mutating func takeFirst() -> ByteRange? { shares.isEmpty ? nil : shares.removeFirst() }

    /// The last share: what a second request takes while the first one runs on from the front.
    package mutating func takeLast() -> ByteRange? { shares.popLast() }

    /// The share that starts at `offset`, when nobody has taken it: an open-ended answer runs on into it.
    package mutating func take(at offset: Int64) -> ByteRange? {
        shares.firstIndex { $0.first == offset }.map { shares.remove(at: $0) }
    }

    /// Puts back what a request took and did not fetch.
    package mutating func giveBack(_ range: ByteRange) {
        let index = shares.firstIndex { $0.first > range.first } ?? shares.endIndex
        shares.insert(range, at: index)
    }

    package mutating func removeAll() { shares.removeAll() }
}
