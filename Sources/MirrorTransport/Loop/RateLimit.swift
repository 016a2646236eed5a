// The total download rate. While more came than is allowed, sockets are not read; their buffers fill, and TCP slows the
// servers down.

import Glibc

/// A bucket of bytes that fills with time. Times are nanoseconds since any fixed moment.
struct RateLimit {
    /// Bytes a second.
    private let rate: Double
    private var debt = 0.0
    private var last: Int64

    init(bytesPerSecond: Int64, now: Int64) {
        rate = Double(max(bytesPerSecond, 1))
        last = now
    }

    mutating func take(_ bytes: Int) { debt += Double(bytes) }

    /// Milliseconds until the debt is paid, at most a second.
    mutating func delay(now: Int64) -> Int32 {
        debt = max(0, debt - Double(now - last) / 1e9 * rate)
        last = now
        return Int32(min((debt / rate * 1000).rounded(.up), 1000))
    }

    /// libcurl's buffer size for this rate, in bytes. One call of libcurl fills it up to a hundred times (7.88.1, measured);
    /// that should be a small part of a second's bytes. 1 KiB is the smallest it takes.
    var bufferSize: Int { Int(min(max(rate / 3200, 1024), 524_288)) }
}

/// The clock of limits.
enum MonotonicTime {
    /// Nanoseconds.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
