// Which answers are about the number of requests (C083), when a silence is over, and when an end is always the same (C061).

import MirrorCore
import Testing

@Suite struct CrowdRuleTests {
    @Test(
        "by status",
        arguments: [
            (200, false, nil), (200, true, nil), (206, true, nil), (304, true, nil), (401, true, nil),
            (403, true, .refused), (403, false, nil), (404, true, nil), (429, false, .throttled),
            (429, true, .throttled), (500, true, nil), (502, true, nil), (503, false, .throttled),
            (503, true, .throttled), (504, true, nil),
        ] as [(Int, Bool, CrowdRule.Meaning?)])
    func status(_ row: (status: Int, openedConnection: Bool, meaning: CrowdRule.Meaning?)) {
        for failure in [nil, Failure(.connect, "reset", isTransient: true)] {
            let meaning = CrowdRule.meaning(
                status: row.status, failure: failure, openedConnection: row.openedConnection)
            #expect(meaning == row.meaning)
        }
    }

    @Test("without a status", arguments: FailureCode.allCases, [true, false])
    func failure(code: FailureCode, isTransient: Bool) {
        let failure = Failure(code, "", isTransient: isTransient)
        let isRefused = isTransient && [.connect, .tls].contains(code)
        #expect(
            CrowdRule.meaning(status: nil, failure: failure, openedConnection: true) == (isRefused ? .refused : nil))
        #expect(CrowdRule.meaning(status: nil, failure: nil, openedConnection: true) == nil)
    }

    @Test(arguments: [429, 503, 403, 404, 500, 0])
    func aThrottleIsAboutTheClient(status: Int) {
        #expect(CrowdRule.isThrottle(status) == (status == 429 || status == 503))
        let facts = ProbeVerdict.facts(after: Failure(.http, "", status: status))
        #expect((facts.failure != nil) == (status == 429 || status == 503))
        #expect((facts.refusal != nil) != (facts.failure != nil))
    }

    @Test func aFailureOfTheCrowdIsTheSameInAllElse() {
        var failure = Failure(.forbidden, "no", status: 403)
        failure.retryAfter = "7"
        let crowd = failure.ofCrowd
        #expect(crowd.isTransient && !crowd.isTransientAlone && crowd.isOfCrowd && !failure.isOfCrowd)
        #expect(crowd.code == .forbidden && crowd.status == 403 && crowd.retryAfter == "7")
    }
}

@Suite struct StallWatchTests {
    @Test func nothingIsWaitedForBeforeTheRequestIsSent() {
        var watch = StallWatch(limit: 100)
        #expect(watch.deadline == nil)
        watch.excuse(until: 50)
        #expect(watch.deadline == nil)
        watch.begin(at: 1_000)
        #expect(watch.deadline == 1_100)
    }

    @Test func eachByteBeginsTheWaitAnewAndAnotherConnectionDoesNot() {
        var watch = StallWatch(limit: 100)
        watch.begin(at: 1_000)
        watch.begin(at: 1_050)
        #expect(watch.deadline == 1_100)
        watch.note(at: 1_060)
        #expect(watch.deadline == 1_160)
        watch.begin(at: 1_090)
        #expect(watch.deadline == 1_160)
        watch.excuse(until: 1_500)
        #expect(watch.deadline == 1_600)
        watch.excuse(until: 1_400)
        #expect(watch.deadline == 1_600)
    }

    @Test(
        arguments: [
            (.max, 1, .max), (0, 1_000, 1_001), (-5, 1_000, 1_001), (1, .max, .max),
        ] as [(Int64, Int64, Int64)])
    func limits(_ row: (limit: Int64, start: Int64, deadline: Int64)) {
        var watch = StallWatch(limit: row.limit)
        watch.begin(at: row.start)
        #expect(watch.deadline == row.deadline)
    }
}

@Suite struct SameEndTests {
    /// What is said after each of these ends.
    private func verdicts(_ ends: [(offset: Int64, wasted: Int64)]) -> [Bool] {
        var end = SameEnd()
        return ends.map { end.isStuck(at: $0.offset, wasted: $0.wasted) }
    }

    @Test func threeAttemptsThatEndAtOneOffset() {
        // The first of the three moved forward, and is not among these.
        #expect(verdicts([(500_000, 500_000), (500_000, 500_000)]) == [false, true])
    }

    @Test func endsThatDifferAreChance() {
        let ends = (0..<1_000).map { (offset: Int64(1_000_000 + $0 * 1_000), wasted: Int64(1_000_000)) }
        #expect(verdicts(ends).allSatisfy { !$0 })
        #expect(verdicts([(7, 1 << 20), (8, 1 << 20), (7, 1 << 20)]) == [false, false, false])
    }

    @Test func whatCostsNothingMayFailAsOftenAsTheUserLikes() {
        let ends = (0..<100).map { _ in (offset: Int64(500_000), wasted: SameEnd.smallestWaste - 1) }
        #expect(verdicts(ends).allSatisfy { !$0 })
    }
}
