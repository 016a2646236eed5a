// Delays before a retry: doubling from half a second, full jitter, a minute at most, what the server asks, and the end.

import MirrorCore
import Testing

private let transient = Failure.status(503)

private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let failure: Failure, failures: Int, elapsed: Duration, retryAfter: Duration?, random: Double
    let policy: RetryPolicy, expected: Duration?

    init(
        _ name: String, _ failures: Int, random: Double = 0, after retryAfter: Duration? = nil,
        elapsed: Duration = .zero,
        failure: Failure = transient, retries: Int = 99, maxTime: Duration = .seconds(600), _ expected: Duration?
    ) {
        testDescription = name
        self.failures = failures
        self.random = random
        self.retryAfter = retryAfter
        self.elapsed = elapsed
        self.failure = failure
        policy = RetryPolicy(retries: retries, maxTime: maxTime)
        self.expected = expected
    }
}

@Suite struct RetryPolicyTests {
    @Test(arguments: [
        Row("first, least", 1, .zero),
        Row("first, half", 1, random: 0.5, .milliseconds(250)),
        Row("second, half", 2, random: 0.5, .milliseconds(500)),
        Row("third, half", 3, random: 0.5, .seconds(1)),
        Row("fourth, half", 4, random: 0.5, .seconds(2)),
        Row("fifth, half", 5, random: 0.5, .seconds(4)),
        Row("sixth, half", 6, random: 0.5, .seconds(8)),
        Row("seventh, half", 7, random: 0.5, .seconds(16)),
        Row("eighth, half: a minute is the limit", 8, random: 0.5, .seconds(30)),
        Row("ninth, half", 9, random: 0.5, .seconds(30)),
        Row("much later", 99, random: 0.5, .seconds(30)),
        Row("much later, least", 99, .zero),
        Row("endless retries", Int.max, random: 0.5, retries: Int.max, .seconds(30)),
        Row("no failure yet", 0, random: 0.5, .milliseconds(250)),
        Row("the last retry", 5, retries: 5, .zero),
        Row("one too many", 6, retries: 5, nil),
        Row("no retries", 1, retries: 0, nil),
        Row("negative retries", 1, retries: -1, nil),
        Row("the server asks for more", 1, random: 0.5, after: .seconds(7), .seconds(7)),
        Row("the server asks for less (C082)", 7, random: 0.5, after: .seconds(1), .seconds(16)),
        Row("the server asks for nothing (C082)", 7, random: 0.5, after: .zero, .seconds(16)),
        Row("the server asks for the same", 1, random: 0.5, after: .milliseconds(250), .milliseconds(250)),
        Row("the server asks for more than a minute", 1, after: .seconds(300), .seconds(300)),
        Row("the server asks for more than is left", 1, after: .seconds(301), elapsed: .seconds(300), nil),
        Row("the server asks for all that is left", 1, after: .seconds(300), elapsed: .seconds(300), .seconds(300)),
        Row("the server asks for a day", 1, after: .seconds(86_400), nil),
        Row("the time is over", 1, elapsed: .seconds(601), nil),
        Row("the last moment", 1, elapsed: .seconds(600), .zero),
        Row("no time at all", 1, random: 0.5, maxTime: .zero, nil),
        Row("not found", 1, failure: .status(404), nil),
        Row("forbidden, with a Retry-After", 1, after: .seconds(1), failure: .status(403), nil),
        Row("a wrong checksum size", 1, failure: .size(declared: 1, actual: 2), nil),
        Row("truncated", 1, failure: .truncated(received: 1, expected: 2), .zero),
        Row("too many requests", 1, random: 0.5, failure: .status(429), .milliseconds(250)),
    ])
    fileprivate func delay(_ row: Row) {
        let delay = row.policy.delay(
            after: row.failure, failures: row.failures, elapsed: row.elapsed, retryAfter: row.retryAfter,
            random: row.random)
        #expect(delay == row.expected)
    }

    @Test(arguments: 1...20)
    func jitterStaysBelowItsLimit(failures: Int) throws {
        let policy = RetryPolicy(retries: 99)
        let limit = min(Duration.milliseconds(500) * (1 << min(failures - 1, 20)), .seconds(60))
        let delay = try #require(
            policy.delay(after: transient, failures: failures, elapsed: .zero, retryAfter: nil, random: 0.999))
        #expect(delay < limit && delay >= limit * 0.99)
    }

    @Test func theContractsDefaults() {
        #expect(RetryPolicy() == RetryPolicy(retries: 5, maxTime: .seconds(600)))
    }
}
