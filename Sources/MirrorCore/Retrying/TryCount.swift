// The failures in a row of one request, probe or file, and when there have been enough: arithmetic only.

/// How often and how long one thing has been tried without moving forward.
package struct TryCount: Sendable, Equatable {
    /// Refusals in a row that are blamed on what else the origin had to do, and not counted. Where a server takes one
    /// connection and two are tried, either may be the one that is refused: chance alone does not do it so often to one
    /// request. A URL that is always refused is told apart by nothing else, while others are served.
    package static let crowdLimit = 16

    private var failures = 0
    private var firstFailure = Duration.zero
    private var refusals = 0
    /// What was waited after them.
    private var pauses = Duration.zero

    package init() {}

    /// Something moved forward: the count begins again.
    package mutating func reset() { self = TryCount() }

    /// Counts a failure.
    /// - Parameters:
    ///   - now: since any fixed start, the same for all calls.
    ///   - retryAfter: what the server asked for.
    ///   - random: 0 ..< 1.
    /// - Returns: how long to wait before the next attempt; nil when it is time to give up.
    package mutating func delay(
        after failure: Failure, _ policy: RetryPolicy, now: Duration, retryAfter: Duration?, random: Double
    ) -> Duration? {
        if failure.isOfCrowd {
            let pause = RetryPolicy.pause(failures: 1, retryAfter: retryAfter, random: random)
            refusals += 1
            if refusals <= Self.crowdLimit, pauses + pause <= policy.maxTime {
                pauses += pause
                return pause
            }
        }
        if failures == 0 { firstFailure = now }
        failures += 1
        return policy.delay(
            after: failure, failures: failures, elapsed: now - firstFailure, retryAfter: retryAfter, random: random)
    }
}
