// The machine's clocks.

import Glibc
import MirrorCore

extension RunClock {
    /// The monotonic clock, the wall clock and the system's random numbers.
    package static let system: RunClock = {
        let start = ContinuousClock.now
        return RunClock(
            elapsed: { ContinuousClock.now - start },
            date: { HTTPDate(seconds: Int64(time(nil))) },
            // The only error is cancellation, and then the wait is over too.
            sleep: { try? await Task.sleep(for: $0) },
            random: { Double.random(in: 0..<1) })
    }()
}
