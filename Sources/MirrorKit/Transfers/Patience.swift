// How long one thing has been tried. The arithmetic is Core's; here are only the clock and the count.

import MirrorCore

/// The failures in a row of one request, probe or file.
struct Patience: Sendable {
    private let policy: RetryPolicy
    private let clock: RunClock
    private var failures = 0
    private var firstFailure = Duration.zero

    init(policy: RetryPolicy, clock: RunClock) {
        self.policy = policy
        self.clock = clock
    }

    /// Something moved forward: the count begins again.
    mutating func reset() { failures = 0 }

    /// Counts a failure.
    /// - Returns: how long to wait before the next attempt; nil when it is time to give up.
    mutating func delay(after failure: Failure) -> Duration? {
        let now = clock.elapsed()
        if failure.isOfCrowd { return delay(after: failure, failures: 0, elapsed: .zero) }
        if failures == 0 { firstFailure = now }
        failures += 1
        return delay(after: failure, failures: failures, elapsed: now - firstFailure)
    }

    private func delay(after failure: Failure, failures: Int, elapsed: Duration) -> Duration? {
        policy.delay(
            after: failure, failures: failures, elapsed: elapsed,
            retryAfter: failure.retryAfter.flatMap { RetryAfter.delay($0, now: clock.date()) }, random: clock.random())
    }
}
