// Range sets: named cases, and everything against a set of plain numbers.

import MirrorCore
import Testing

import struct MirrorTestSupport.SeededNumbers

@Suite struct RangeSetTests {
    struct Insertion: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let inserted: [ByteRange]
        let expected: [ByteRange]

        init(_ name: String, _ inserted: [ByteRange], _ expected: [ByteRange]) {
            testDescription = name
            self.inserted = inserted
            self.expected = expected
        }
    }

    @Test(arguments: [
        Insertion("nothing", [], []),
        Insertion("one", [range(5, 9)], [range(5, 9)]),
        Insertion("twice the same", [range(5, 9), range(5, 9)], [range(5, 9)]),
        Insertion("apart", [range(0, 4), range(6, 9)], [range(0, 4), range(6, 9)]),
        Insertion("touching", [range(0, 4), range(5, 9)], [range(0, 9)]),
        Insertion("overlapping", [range(0, 6), range(5, 9)], [range(0, 9)]),
        Insertion("one within another", [range(0, 9), range(3, 4)], [range(0, 9)]),
        Insertion("one around all", [range(1, 2), range(4, 5), range(0, 9)], [range(0, 9)]),
        Insertion("the gap between two", [range(0, 2), range(6, 9), range(3, 5)], [range(0, 9)]),
        Insertion("before all, touching", [range(5, 9), range(0, 4)], [range(0, 9)]),
        Insertion(
            "joins the middle ones", [range(0, 0), range(2, 3), range(5, 6), range(9, 9), range(3, 5)],
            [range(0, 0), range(2, 6), range(9, 9)]),
        Insertion(
            "the largest offsets", [range(Int64.max - 1, Int64.max - 1), range(0, Int64.max - 2)],
            [range(0, Int64.max - 1)]),
    ])
    func insert(_ row: Insertion) {
        for order in permutations(of: row.inserted) {
            let set = RangeSet(order)
            #expect(set.ranges == row.expected)
            #expect(set.count == row.expected.reduce(0) { $0 + $1.count })
            #expect(set.end == row.expected.last?.end ?? 0)
        }
    }

    struct Completeness: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ranges: [ByteRange]
        let total: Int64
        let isComplete: Bool
        let missing: [ByteRange]

        init(_ name: String, _ ranges: [ByteRange], of total: Int64, _ isComplete: Bool, missing: [ByteRange]) {
            testDescription = name
            self.ranges = ranges
            self.total = total
            self.isComplete = isComplete
            self.missing = missing
        }
    }

    @Test(arguments: [
        Completeness("an empty file", [], of: 0, true, missing: []),
        Completeness("bytes beyond an empty file", [range(0, 0)], of: 0, false, missing: []),
        Completeness("nothing yet", [], of: 10, false, missing: [range(0, 9)]),
        Completeness("all", [range(0, 9)], of: 10, true, missing: []),
        Completeness("all but the last byte", [range(0, 8)], of: 10, false, missing: [range(9, 9)]),
        Completeness("all but the first byte", [range(1, 9)], of: 10, false, missing: [range(0, 0)]),
        Completeness("a hole", [range(0, 3), range(6, 9)], of: 10, false, missing: [range(4, 5)]),
        Completeness("more than the file", [range(0, 10)], of: 10, false, missing: []),
        Completeness("all, and more behind", [range(0, 9), range(20, 29)], of: 10, false, missing: []),
        Completeness("a range across the end", [range(5, 20)], of: 10, false, missing: [range(0, 4)]),
        Completeness("the largest file", [range(0, Int64.max - 1)], of: Int64.max, true, missing: []),
        Completeness("nothing of the largest file", [], of: Int64.max, false, missing: [range(0, Int64.max - 1)]),
        Completeness("a negative total", [range(0, 9)], of: -1, false, missing: []),
        Completeness("the least total", [], of: Int64.min, false, missing: []),
    ])
    func completeAndMissing(_ row: Completeness) {
        let set = RangeSet(row.ranges)
        #expect(set.isComplete(total: row.total) == row.isComplete)
        #expect(set.missing(of: row.total) == row.missing)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 4, 5, 7, 8, 9, 10, Int64.max])
    func truncate(to offset: Int64) {
        var truncated = set(range(0, 4), range(8, 9))
        truncated.truncate(to: offset)
        let expected = ([0, 1, 2, 3, 4, 8, 9] as [Int64]).filter { $0 < offset }.map { range($0, $0) }
        #expect(truncated == RangeSet(expected))
    }

    struct Before: Sendable {
        let offset: Int64, limit: Int64, expected: Int64
    }

    /// The overlap that proves resumed bytes: it never reaches into a hole and never exceeds the limit.
    @Test(arguments: [
        Before(offset: 0, limit: 16, expected: 0),
        Before(offset: 1, limit: 16, expected: 0),
        Before(offset: 10, limit: 16, expected: 0),
        Before(offset: 11, limit: 16, expected: 1),
        Before(offset: 20, limit: 16, expected: 10),
        Before(offset: 20, limit: 4, expected: 4),
        Before(offset: 20, limit: 0, expected: 0),
        Before(offset: 21, limit: 16, expected: 0),
        Before(offset: 40, limit: 5, expected: 5),
        Before(offset: Int64.max, limit: 16, expected: 0),
    ])
    func bytesBefore(_ row: Before) {
        #expect(set(range(10, 19), range(30, 39)).bytes(before: row.offset, limit: row.limit) == row.expected)
    }

    @Test(arguments: UInt64(0)..<40)
    func agreesWithASetOfNumbers(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var tested = RangeSet()
        var model: Set<Int64> = []
        for _ in 0..<60 {
            let first = Int64.random(in: 0..<80, using: &random)
            if Int.random(in: 0..<12, using: &random) == 0 {
                tested.truncate(to: first)
                model = model.filter { $0 < first }
            } else {
                let last = first + Int64.random(in: 0..<9, using: &random)
                tested.insert(range(first, last))
                model.formUnion(first...last)
            }
            check(tested, model, random: &random)
        }
    }

    private func check(_ tested: RangeSet, _ model: Set<Int64>, random: inout SeededNumbers) {
        let total = Int64.random(in: 0..<100, using: &random)
        #expect(Set(tested.ranges.flatMap { $0.first...$0.last }) == model)
        #expect(zip(tested.ranges, tested.ranges.dropFirst()).allSatisfy { $0.end < $1.first }, "sorted, apart")
        #expect(tested.count == Int64(model.count))
        #expect(tested.isEmpty == model.isEmpty)
        #expect(tested.end == (model.max() ?? -1) + 1)
        #expect(tested.missing(of: total).flatMap { $0.first...$0.last } == (0..<total).filter { !model.contains($0) })
        #expect(tested.isComplete(total: total) == (model == Set(0..<total)))
        #expect(tested.contains(range(total, total + 2)) == model.isSuperset(of: total...total + 2))
        var before: Int64 = 0
        while before < 5, model.contains(total - before - 1) { before += 1 }
        #expect(tested.bytes(before: total, limit: 5) == before)
    }
}

/// All orders of a few elements.
private func permutations(of ranges: [ByteRange]) -> [[ByteRange]] {
    guard ranges.count > 1 else { return [ranges] }
    return ranges.indices.flatMap { index in
        var rest = ranges
        let taken = rest.remove(at: index)
        return permutations(of: rest).map { [taken] + $0 }
    }
}
