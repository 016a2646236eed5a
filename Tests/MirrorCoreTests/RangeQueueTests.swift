// How a file is shared between requests: the shares cover what is missing, none is too small, and there are never
// more of them than a program can hold.

import MirrorCore
import Testing

import struct MirrorTestSupport.SeededNumbers

private let mebibyte: Int64 = 1 << 20

@Suite struct RangeQueueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let missing: [ByteRange]
        let split: Int
        let minimum: Int64
        let expected: [ByteRange]

        init(_ name: String, _ missing: [ByteRange], split: Int, minimum: Int64, _ expected: [ByteRange]) {
            testDescription = name
            self.missing = missing
            self.split = split
            self.minimum = minimum
            self.expected = expected
        }
    }

    @Test(arguments: [
        Case("nothing", [], split: 4, minimum: 10, []),
        Case("one byte", [range(0, 0)], split: 4, minimum: 10, [range(0, 0)]),
        Case("a byte below the minimum", [range(0, 8)], split: 4, minimum: 10, [range(0, 8)]),
        Case("the minimum", [range(0, 9)], split: 4, minimum: 10, [range(0, 9)]),
        Case("twice the minimum less one", [range(0, 18)], split: 4, minimum: 10, [range(0, 18)]),
        Case("twice the minimum", [range(0, 19)], split: 4, minimum: 10, [range(0, 9), range(10, 19)]),
        Case(
            "even parts", [range(0, 79)], split: 4, minimum: 10,
            [range(0, 19), range(20, 39), range(40, 59), range(60, 79)]),
        Case("no split", [range(0, 79)], split: 1, minimum: 10, [range(0, 79)]),
        Case("a split of nothing", [range(0, 79)], split: 0, minimum: 10, [range(0, 79)]),
        Case("a minimum of nothing", [range(0, 1)], split: 2, minimum: 0, [range(0, 0), range(1, 1)]),
        Case("a negative minimum", [range(0, 1)], split: 2, minimum: Int64.min, [range(0, 0), range(1, 1)]),
        Case("more requests than bytes", [range(0, 1)], split: Int.max, minimum: 1, [range(0, 0), range(1, 1)]),
        Case(
            "two holes", [range(5, 6), range(20, 59)], split: 2, minimum: 10,
            [range(5, 6), range(20, 40), range(41, 59)]),
        Case(
            "8 MiB for four", [range(0, 8 * mebibyte - 1)], split: 4, minimum: mebibyte,
            (0..<4).map { range($0 * 2 * mebibyte, ($0 + 1) * 2 * mebibyte - 1) }),
        Case(
            "1 GiB in shares of 64 MiB", [range(0, 1024 * mebibyte - 1)], split: 4, minimum: 4 * mebibyte,
            (0..<16).map { range($0 * 64 * mebibyte, ($0 + 1) * 64 * mebibyte - 1) }),
        Case(
            "the largest file for one", [range(0, Int64.max - 1)], split: 1, minimum: Int64.max,
            [range(0, Int64.max - 1)]),
    ])
    func shares(_ row: Case) {
        #expect(RangeQueue(missing: row.missing, split: row.split, minimum: row.minimum).shares == row.expected)
    }

    @Test(
        arguments: [
            ("2^62", 1 << 62), ("2^63 - 1", Int64.max), ("1 TiB", 1 << 40), ("256 GiB", 1 << 38),
        ] as [(String, Int64)],
        [(1, 4 * mebibyte), (4, 4 * mebibyte), (4, 1), (Int.max, 0), (16, 1 << 61)] as [(Int, Int64)])
    func hugeFilesHaveABoundedNumberOfShares(_ size: (name: String, total: Int64), _ setting: (Int, Int64)) {
        let missing = [range(17, size.total - 1)]
        let queue = RangeQueue(missing: missing, split: setting.0, minimum: setting.1)
        #expect(queue.shares.count <= 5_000)
        #expect(RangeSet(queue.shares).ranges == missing)
    }

    @Test func largeSharesEndOnBlocks() {
        let queue = RangeQueue(missing: [range(12_345, 300 * mebibyte + 99)], split: 3, minimum: 4 * mebibyte)
        #expect(queue.shares.count > 3)
        #expect(queue.shares.dropLast().allSatisfy { $0.end % RangeQueue.alignment == 0 })
    }

    /// The contract's `-k`: no range is smaller than this.
    @Test func alignmentMakesNoShareSmallerThanTheMinimum() {
        for minimum in [4 * mebibyte, mebibyte + mebibyte / 2, mebibyte + 1] {
            let queue = RangeQueue(missing: [range(mebibyte - 1, 9 * mebibyte)], split: 4, minimum: minimum)
            #expect(queue.shares.allSatisfy { $0.count >= minimum }, "\(queue.shares)")
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func coversExactlyWhatIsMissing(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let scale = Int64(1) << Int64.random(in: 0..<40, using: &random)
        var present = RangeSet()
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            let first = Int64.random(in: 0...8 * scale, using: &random)
            present.insert(range(first, first + Int64.random(in: 0...scale, using: &random)))
        }
        let missing = present.missing(of: 9 * scale)
        let minimum = Int64.random(in: 0...2 * scale, using: &random)
        let split = Int.random(in: 1...8, using: &random)
        let queue = RangeQueue(missing: missing, split: split, minimum: minimum)
        #expect(RangeSet(queue.shares).ranges == missing)
        #expect(queue.shares.reduce(0) { $0 + $1.count } == missing.reduce(0) { $0 + $1.count }, "no byte twice")
        #expect(zip(queue.shares, queue.shares.dropFirst()).allSatisfy { $0.end <= $1.first }, "in order")
        for share in queue.shares where share.count < minimum {
            #expect(missing.contains(share), "\(share) is below \(minimum)")
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func takingAndGivingBackLosesNothing(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let all = [range(3, 90), range(100, 400)]
        var queue = RangeQueue(missing: all, split: 4, minimum: 7)
        var done = RangeSet()
        for _ in 0..<10_000 where !queue.isEmpty {
            guard let taken = take(&queue, random: &random) else { continue }
            // A request fetched the first bytes of its share, or all of them.
            let end = Int64.random(in: taken.first...taken.end, using: &random)
            if let fetched = ByteRange(first: taken.first, end: end) {
                #expect(!done.contains(fetched), "no byte is handed out again")
                done.insert(fetched)
            }
            if let rest = ByteRange(first: end, end: taken.end) { queue.giveBack(rest) }
            #expect(RangeSet(done.ranges + queue.shares).ranges == all)
            #expect(zip(queue.shares, queue.shares.dropFirst()).allSatisfy { $0.end <= $1.first })
        }
        #expect(done.ranges == all)
    }

    private func take(_ queue: inout RangeQueue, random: inout SeededNumbers) -> ByteRange? {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return queue.takeFirst()
        case 1: return queue.takeLast()
        default:
            let offset = queue.shares.randomElement(using: &random)?.first ?? 0
            return queue.take(at: offset)
        }
    }

    @Test func takesFromBothEndsAndAtAnOffset() {
        var queue = RangeQueue(missing: [range(0, 39)], split: 4, minimum: 10)
        #expect(queue.take(at: 5) == nil)
        #expect(queue.takeFirst() == range(0, 9))
        #expect(queue.takeLast() == range(30, 39))
        #expect(queue.take(at: 10) == range(10, 19))
        #expect(queue.take(at: 10) == nil)
        queue.giveBack(range(15, 19))
        #expect(queue.shares == [range(15, 19), range(20, 29)])
        queue.removeAll()
        #expect(queue.isEmpty)
        #expect(queue.takeFirst() == nil)
        #expect(queue.takeLast() == nil)
        queue.giveBack(range(7, 8))
        #expect(queue.takeFirst() == range(7, 8))
    }
}
