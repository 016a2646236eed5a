// The generator that origin and tests share: both must see the same bytes at every offset.

import MirrorTestSupport
import Testing

@Suite struct BodyTests {
    private let body = Body.synthetic(length: 300_000, seed: 7)

    @Test func aFilledRangeEqualsTheSingleBytes() {
        for range: Range<Int64> in [0..<20, 4090..<4110, 65_530..<65_560, 131_000..<140_000, 299_990..<300_000] {
            #expect(body.bytes(in: range) == range.map { body.byte(at: $0) })
        }
    }

    @Test func aMoveOrAnotherSeedShows() {
        let all = body.allBytes
        #expect(Array(all[8192..<12288]) != Array(all[4096..<8192]))
        #expect(Array(all[65_536..<131_072]) != Array(all[..<65_536]))
        #expect(all != Body.synthetic(length: 300_000, seed: 8).allBytes)
    }

    @Test func offsetsBeyondFourGibibytesCount() {
        let large = Body.synthetic(length: 5 << 30, seed: 1)
        #expect(large.bytes(in: (5 << 30) - 4096..<5 << 30) != large.bytes(in: (1 << 30) - 4096..<1 << 30))
    }
}
