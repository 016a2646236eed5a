// When one thing has been tried often enough, what is blamed on others included.

import MirrorCore
import Testing

@Suite struct TryCountTests {
    private static let refusal = Failure(.http, "503", isTransient: true, status: 503).ofCrowd
    private static let forbidden = Failure.status(403).ofCrowd

    /// The delays until it is given up, in seconds; at most 100.
    private func delays(
        _ failure: Failure, retries: Int = 0, maxTime: Duration = .seconds(600), retryAfter: Duration? = nil
    ) -> [Duration] {
        let policy = RetryPolicy(retries: retries, maxTime: maxTime)
        var count = TryCount()
        var now = Duration.seconds(1_000)
        var delays: [Duration] = []
        while delays.count < 100,
            let delay = count.delay(after: failure, policy, now: now, retryAfter: retryAfter, random: 0.5)
        {
            delays.append(delay)
            now += delay
        }
        return delays
    }

    @Test func aRefusalOfTheCrowdIsNotCountedUntilThereAreTooMany() {
        let free = Array(repeating: Duration.milliseconds(250), count: TryCount.crowdLimit)
        #expect(delays(Self.refusal) == free)
        #expect(delays(Self.refusal, retries: 2) == free + [.milliseconds(250), .milliseconds(500)])
        #expect(delays(Self.forbidden, retries: 5) == free, "alone, it would not have been tried again")
    }

    @Test func whatTheServerAsksForIsWaitedForNoLongerThanAFileIsTried() {
        #expect(delays(Self.refusal, retryAfter: .seconds(60)).count == 10)
        #expect(delays(Self.refusal, retries: 2, retryAfter: .seconds(60)).count == 12)
        #expect(delays(Self.refusal, maxTime: .seconds(10), retryAfter: .seconds(60)) == [])
    }

    @Test func whatIsNotOfTheCrowdIsCountedFromTheFirst() {
        let failure = Failure(.timeout, "late", isTransient: true)
        #expect(delays(failure) == [])
        #expect(delays(failure, retries: 3) == [250, 500, 1_000].map { .milliseconds($0) })
        #expect(delays(Failure(.notFound, "gone"), retries: 3) == [])
    }

    @Test func progressBeginsAnew() {
        let policy = RetryPolicy(retries: 0)
        var count = TryCount()
        for _ in 0..<100 {
            for _ in 0..<TryCount.crowdLimit {
                #expect(count.delay(after: Self.refusal, policy, now: .zero, retryAfter: nil, random: 0) != nil)
            }
            count.reset()
        }
        for _ in 0..<TryCount.crowdLimit {
            #expect(count.delay(after: Self.refusal, policy, now: .zero, retryAfter: nil, random: 0) != nil)
        }
        #expect(count.delay(after: Self.refusal, policy, now: .zero, retryAfter: nil, random: 0) == nil)
    }
}

@Suite struct HTTP2DoubtTests {
    @Test func oneSilenceIsChanceAndSoAreManyThatCameTogether() {
        var doubt = HTTP2Doubt()
        for number in 1...6 { doubt.note(.silence, number: number, sent: 6) }
        #expect(!doubt.isAvoided)
        doubt.note(.silence, number: 7, sent: 7)
        #expect(doubt.isAvoided)
    }

    @Test func anAnswerBetweenThemSpeaksAgainstIt() {
        var doubt = HTTP2Doubt()
        for number in 1...100 { doubt.note(number % 2 == 0 ? .answer : .silence, number: number, sent: number) }
        #expect(!doubt.isAvoided)
        doubt.note(.failure, number: 101, sent: 101)
        doubt.note(.answer, number: 102, sent: 102)
        #expect(doubt.isAvoided, "what has failed once is not tried again")
    }
}
