// The clock of the origin: CLOCK_MONOTONIC in nanoseconds, as pthread conditions want it.

import Glibc

/// An instant of CLOCK_MONOTONIC.
struct MonotonicTime: Comparable {
    private var nanoseconds: Int64

    static var now: MonotonicTime {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (one: MonotonicTime, other: MonotonicTime) -> Bool { one.nanoseconds < other.nanoseconds }

    func advanced(by duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + duration.wholeNanoseconds)
    }

    func until(_ later: MonotonicTime) -> Duration { .nanoseconds(later.nanoseconds - nanoseconds) }

    var timespec: Glibc.timespec {
        Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero; durations of tests are far from the limit of 292 years.
    var wholeNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
