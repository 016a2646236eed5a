import CXXHash
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct BlockSumsTests {
    private static let block = BlockSums.blockSize
    private static let bytes = pattern(3 * block + 700)

    /// The order in which parts of the file are written.
    private struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// First byte and end of each write.
        let writes: [(Int, Int)]
        /// Blocks whose sum must be known without reading.
        let known: [Int]
    }

    private static func steps(_ first: Int, _ end: Int, by step: Int) -> [(Int, Int)] {
        stride(from: first, to: end, by: step).map { ($0, min($0 + step, end)) }
    }

    private static let end = bytes.count
    private static let cases: [Case] = [
        Case(testDescription: "one write", writes: [(0, end)], known: [0, 1, 2, 3]),
        Case(testDescription: "in order", writes: steps(0, end, by: 30_011), known: [0, 1, 2, 3]),
        Case(testDescription: "blocks", writes: steps(0, end, by: block), known: [0, 1, 2, 3]),
        Case(
            testDescription: "two ranges by turns",
            writes: zip(steps(0, 2 * block, by: 65_536), steps(2 * block, end, by: 65_536)).flatMap { [$0, $1] }
                + steps(block + 700, 2 * block, by: 65_536),
            known: []),
        Case(
            testDescription: "ranges that part a block", writes: steps(block / 2, end, by: 9_999) + [(0, block / 2)],
            known: [1, 2, 3]),
        Case(
            testDescription: "ranges that part a block, in order",
            writes: [(0, block / 2)] + steps(block / 2, end, by: 9_999), known: [0, 1, 2, 3]),
        Case(testDescription: "backwards", writes: steps(0, end, by: 100_000).reversed(), known: []),
        Case(testDescription: "written twice", writes: [(0, end), (10, 20)], known: [1, 2, 3]),
        Case(testDescription: "begun again", writes: [(0, 5_000), (0, 5_000), (5_000, end)], known: [0, 1, 2, 3]),
        Case(
            testDescription: "a gap filled later", writes: [(0, 5_000), (6_000, end), (5_000, 6_000)], known: [1, 2, 3]),
    ]

    private static func expected(_ block: Int) -> UInt64 {
        let part = bytes.dropFirst(block * Self.block).prefix(Self.block)
        return Array(part).withUnsafeBytes { XXH3_64bits($0.baseAddress, $0.count) }
    }

    @Test(arguments: cases) private func sumsAreThoseOfTheBytes(_ item: Case) {
        let sums = BlockSums()
        for (first, end) in item.writes {
            Self.bytes[first..<end].withUnsafeBytes { sums.add($0, at: Int64(first)) }
        }
        for block in 0..<4 {
            let sum = sums.sum(of: block, total: Int64(Self.end))
            if let sum { #expect(sum == Self.expected(block), "block \(block)") }
            if item.known.contains(block) { #expect(sum != nil, "block \(block)") }
        }
    }

    @Test(arguments: cases) private func sealedSumsAreThoseOfTheBytes(_ item: Case) async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let path = try LocalPath("a")
        let partial = try store.makePartial(for: path)
        for (first, end) in item.writes { try partial.write(Self.bytes[first..<end], at: Int64(first)) }
        let order = SealOrder(partial: partial, size: Int64(Self.end), modified: nil, record: .sample)
        _ = try await store.seal(order).get()
        #expect(store.blockSums(of: path) == (0..<4).map(Self.expected))
        #expect(folder.read("a") == Self.bytes)
        await store.close()
    }

    @Test func resumedFile() async throws {
        let folder = TestFolder()
        let path = try LocalPath("a")
        let half = 3 * Self.block / 2
        let record = PartialRecord.sample([(0, Int64(half))], total: Int64(Self.end))
        var store = try await Store.open(directory: folder.path)
        var partial = try store.makePartial(for: path)
        try partial.write(Self.bytes[..<half], at: 0)
        #expect(await store.checkpoint(partial, record: record) == nil)
        await store.close()

        store = try await Store.open(directory: folder.path)
        #expect(store.localFacts(for: path).partial == record)
        partial = try store.openPartial(for: path, record: record)
        #expect(partial.sum(of: 0, total: Int64(Self.end)) == Self.expected(0))
        #expect(partial.sum(of: 1, total: Int64(Self.end)) == nil)
        try partial.write(Self.bytes[half...], at: Int64(half))
        let order = SealOrder(partial: partial, size: Int64(Self.end), modified: nil, record: .sample)
        _ = try await store.seal(order).get()
        #expect(store.blockSums(of: path) == (0..<4).map(Self.expected))
        await store.close()
    }

    @Test func moreStreamsThanAreKept() {
        let sums = BlockSums()
        let part = [UInt8](repeating: 9, count: 1000)
        for block in 0..<40 { part.withUnsafeBytes { sums.add($0, at: Int64(block * Self.block)) } }
        #expect(sums.sum(of: 0, total: 1000) == nil)
        #expect(sums.sum(of: 39, total: Int64(39 * Self.block + 1000)) != nil)
    }

    @Test func offsetsBeyondAllSense() {
        let sums = BlockSums()
        [UInt8(1), 2, 3].withUnsafeBytes { bytes in
            for offset in [Int64.max - 3, Int64(BlockSums.blockLimit) << 20, -1, Int64.min] {
                sums.add(bytes, at: offset)
            }
        }
        #expect(sums.known.isEmpty)
        #expect(BlockSums.blockCount(.max) == BlockSums.blockLimit)
        #expect(BlockSums.blockCount(0) == 0)
        #expect(BlockSums.blockCount(-5) == 0)
        #expect(BlockSums.blockCount(1 << 20) == 1)
    }
}
