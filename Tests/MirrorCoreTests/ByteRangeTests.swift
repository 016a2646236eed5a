// Byte ranges at their limits.

import MirrorCore
import Testing

@Suite struct ByteRangeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: Int64
        let last: Int64
        /// nil: no range.
        let count: Int64?

        init(_ name: String, _ first: Int64, _ last: Int64, _ count: Int64?) {
            testDescription = name
            self.first = first
            self.last = last
            self.count = count
        }
    }

    @Test(arguments: [
        Case("one byte", 0, 0, 1),
        Case("ten bytes", 10, 19, 10),
        Case("backwards", 1, 0, nil),
        Case("negative start", -1, 5, nil),
        Case("negative both", -5, -3, nil),
        Case("the largest", 0, Int64.max - 1, Int64.max),
        Case("the last byte that counts", Int64.max - 1, Int64.max - 1, 1),
        Case("an end that would not fit", 0, Int64.max, nil),
        Case("nothing but the largest number", Int64.max, Int64.max, nil),
        Case("the least number", Int64.min, Int64.min, nil),
        Case("all numbers", Int64.min, Int64.max, nil),
    ])
    func firstAndLast(_ row: Case) {
        let range = ByteRange(first: row.first, last: row.last)
        #expect(range?.count == row.count)
        #expect(range?.end == row.count.map { row.first + $0 })
    }

    @Test(arguments: [
        Case("nothing", 0, 0, nil),
        Case("one byte", 0, 1, 1),
        Case("nothing further on", 7, 7, nil),
        Case("backwards", 7, 6, nil),
        Case("the largest", 0, Int64.max, Int64.max),
        Case("negative end", 0, -1, nil),
        Case("the least end", 0, Int64.min, nil),
        Case("negative start", -1, 1, nil),
    ])
    func firstAndEnd(_ row: Case) {
        #expect(ByteRange(first: row.first, end: row.last)?.count == row.count)
    }

    @Test func containsItselfAndWhatLiesWithin() {
        #expect(range(10, 19).contains(range(10, 19)))
        #expect(range(10, 19).contains(range(12, 12)))
        #expect(!range(10, 19).contains(range(9, 19)))
        #expect(!range(10, 19).contains(range(10, 20)))
        #expect(!range(10, 19).contains(range(30, 40)))
    }
}
