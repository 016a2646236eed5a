// The clock by which progress is shown.

import Glibc

/// Time that never goes back.
enum MonotonicClock {
    /// Nanoseconds since some fixed moment.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
