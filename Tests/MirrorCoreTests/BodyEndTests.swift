// When a body without a length is whole.

import MirrorCore
import Testing

struct BodyEndTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let received: Int64
        let expected: Int64?
        let wasCutOff: Bool
        let isWhole: Bool
    }

    @Test(arguments: [
        Row(testDescription: "nobody knows", received: 10, expected: nil, wasCutOff: false, isWhole: true),
        Row(testDescription: "nobody knows, empty", received: 0, expected: nil, wasCutOff: false, isWhole: true),
        Row(testDescription: "nobody knows, cut off", received: 10, expected: nil, wasCutOff: true, isWhole: false),
        Row(testDescription: "empty, cut off", received: 0, expected: nil, wasCutOff: true, isWhole: false),
        Row(testDescription: "as expected", received: 10, expected: 10, wasCutOff: false, isWhole: true),
        Row(testDescription: "as expected, cut off", received: 10, expected: 10, wasCutOff: true, isWhole: true),
        Row(testDescription: "less", received: 9, expected: 10, wasCutOff: false, isWhole: false),
        Row(testDescription: "less, cut off", received: 9, expected: 10, wasCutOff: true, isWhole: false),
        Row(testDescription: "more", received: 11, expected: 10, wasCutOff: false, isWhole: false),
    ])
    func table(row: Row) {
        let failure = BodyEnd.failure(received: row.received, expected: row.expected, wasCutOff: row.wasCutOff)
        #expect((failure == nil) == row.isWhole)
        #expect(failure?.code ?? .truncated == .truncated)
        #expect(failure?.isTransient ?? true)
    }
}
