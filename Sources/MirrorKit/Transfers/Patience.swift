// How long one thing has been tried. The arithmetic is Core's; here are only the clock and the count.

import MirrorCore

/// The failures in a row of one request, probe or file.
struct Patience: Sendable {
    private let policy: RetryPolicy
    private let clock: RunClock
    private var count = TryCount()

    init(policy: RetryPolicy, clock: RunClock) {
        self.policy = policy
        self.clock = clock
    }

    /// Something moved forward: the count begins again.
    mutating func reset() { count.reset() }

    /// Counts a failure.
    /// - Returns: how long to wait before the next attempt; nil when it is time to give up.
    mutating func delay(after failure: Failure) -> Duration? {
        count.delay(
            after: failure, policy, now: clock.elapsed(),
            retryAfter: failure.retryAfter.flatMap { RetryAfter.delay($0, now: clock.date()) }, random: clock.random())
    }
}
