// Time and chance, handed in, so that tests need neither.

import MirrorCore

/// What a run knows of time.
package struct RunClock: Sendable {
    /// Since any fixed moment, never going back.
    package var elapsed: @Sendable () -> Duration
    /// Wall-clock time.
    package var date: @Sendable () -> HTTPDate
    /// Returns early when the task is cancelled.
    package var sleep: @Sendable (Duration) async -> Void
    /// 0 ..< 1.
    package var random: @Sendable () -> Double

    package init(
        elapsed: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> HTTPDate,
        sleep: @escaping @Sendable (Duration) async -> Void, random: @escaping @Sendable () -> Double
    ) {
        self.elapsed = elapsed
        self.date = date
        self.sleep = sleep
        self.random = random
    }
}
