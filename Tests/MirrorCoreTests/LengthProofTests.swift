// Bodies without a length: whole, doubtful or not believed (C052, C058, C060).

import MirrorCore
import Testing

@Suite struct LengthProofTests {
    private static func body(_ received: Int64, _ change: (inout UnboundedBody) -> Void) -> UnboundedBody {
        var body = UnboundedBody(received: received)
        change(&body)
        return body
    }

    private static let short = LengthProof.refused(.truncated(received: 200, expected: 300))

    @Test(
        arguments: [
            ("chunked, no claim", body(200) { _ in }, .proved),
            (
                "C166 TLS without close_notify, and HEAD says it all came",
                body(200) {
                    $0.endsWithConnection = true; $0.wasCutOff = true; $0.claimed = 200; $0.isClaimFresh = true
                }, .proved
            ),
            ("chunked, as claimed", body(200) { $0.claimed = 200 }, .proved),
            ("chunked, more than claimed", body(200) { $0.claimed = 100 }, .proved),
            ("chunked, less than claimed, once", body(200) { $0.claimed = 300 }, short),
            (
                "chunked, less than claimed, after another",
                body(200) {
                    $0.claimed = 300; $0.before = 100
                }, short
            ),
            (
                "chunked, less than claimed, twice",
                body(200) {
                    $0.claimed = 300; $0.before = 200
                },
                .unproved(.lessThanClaimed(300))
            ),
            (
                "the same for a smaller file",
                body(200) {
                    $0.claimed = 300; $0.before = 200; $0.local = 200
                },
                .unproved(.lessThanClaimed(300))
            ),
            (
                "the same for a larger file",
                body(200) {
                    $0.claimed = 300; $0.before = 200; $0.local = 201
                }, .mustAsk
            ),
            (
                "and HEAD says it again",
                body(200) {
                    $0.claimed = 300; $0.before = 200; $0.local = 201; $0.isClaimFresh = true
                },
                .refused(.lessThanClaimed(300, actual: 200))
            ),
            (
                "and HEAD has come to agree",
                body(200) {
                    $0.claimed = 200; $0.before = 200; $0.local = 201; $0.isClaimFresh = true
                }, .proved
            ),
            (
                "chunked and coded",
                body(200) {
                    $0.claimed = 300; $0.isEncoded = true
                }, .proved
            ),
            ("by connection, nobody says", body(200) { $0.endsWithConnection = true }, .mustAsk),
            (
                "by connection, HEAD does not say either",
                body(200) {
                    $0.endsWithConnection = true; $0.isClaimFresh = true
                }, .unproved(.endedWithConnection)
            ),
            (
                "by connection, as claimed",
                body(300) {
                    $0.endsWithConnection = true; $0.claimed = 300
                }, .proved
            ),
            (
                "by connection, less",
                body(200) {
                    $0.endsWithConnection = true; $0.claimed = 300
                }, short
            ),
            (
                "by connection, less, twice",
                body(200) {
                    $0.endsWithConnection = true; $0.claimed = 300; $0.before = 200
                }, short
            ),
            (
                "by connection, coded",
                body(200) {
                    $0.endsWithConnection = true; $0.isEncoded = true
                }, .unproved(.endedWithConnection)
            ),
            (
                "as declared",
                body(200) {
                    $0.declared = 200; $0.endsWithConnection = true; $0.claimed = 1
                }, .proved
            ),
            (
                "not as declared",
                body(200) {
                    $0.declared = 300; $0.before = 200
                }, short
            ),
        ] as [(String, UnboundedBody, LengthProof)])
    func rule(_ row: (name: String, body: UnboundedBody, proof: LengthProof)) {
        #expect(LengthProof.of(row.body) == row.proof, "\(row.name)")
    }

    @Test func `C166 TLS without close_notify, and nobody says how long: refused`() {
        for isEncoded in [true, false] {
            let cut = Self.body(200) {
                $0.endsWithConnection = true
                $0.wasCutOff = true
                $0.isEncoded = isEncoded
                $0.isClaimFresh = true
            }
            guard case .refused(let failure) = LengthProof.of(cut) else {
                Issue.record("\(LengthProof.of(cut))")
                continue
            }
            #expect(failure.code == .truncated && failure.isTransient)
        }
    }
}

@Suite struct OverlapTests {
    @Test(
        arguments: [
            (0, 0, false), (0, 100, false), (1, 1, true), (1, 2, false), (100, 100, true), (4_095, 4_095, true),
            (4_095, 4_096, false), (4_096, 4_097, true), (16_384, 1 << 40, true),
        ] as [(Int64, Int64, Bool)])
    func proves(_ row: (bytes: Int64, offset: Int64, proves: Bool)) {
        #expect(Overlap.proves(row.bytes, before: row.offset) == row.proves)
    }
}

@Suite struct SmallPartsTests {
    /// After how many parts of this size it is given up; nil when they are worth it.
    private func partsUntilHopeless(_ bytes: Int64, missing: Int64) -> Int? {
        var parts = SmallParts()
        return (1...1_000).first { _ in parts.isHopeless(bytes, missing: missing, isCapped: true) }
    }

    @Test(
        arguments: [
            (1, 1 << 30, 8), (4_095, 1 << 20, 8), (4_096, 1 << 20, nil), (4_096, 1 << 30, 8), (16_384, 1 << 30, nil),
            (500_000, 1 << 40, 8), (1 << 20, 1 << 50, nil),
        ] as [(Int64, Int64, Int?)])
    func parts(_ row: (bytes: Int64, missing: Int64, count: Int?)) {
        #expect(partsUntilHopeless(row.bytes, missing: row.missing) == row.count)
    }

    @Test func aPartAsAskedForIsNeverTooSmallAndOneInBetweenBeginsAnew() {
        var parts = SmallParts()
        #expect((0..<100).allSatisfy { _ in !parts.isHopeless(1, missing: 1 << 30, isCapped: false) })
        for round in 1...100 {
            let bytes: Int64 = round % 8 == 0 ? 1 << 20 : 1
            let isHopeless = parts.isHopeless(bytes, missing: 1 << 30, isCapped: true)
            #expect(!isHopeless)
        }
    }
}
