// When a failed attempt is made again: arithmetic only. The caller waits.

/// How often and how long one file is tried at one URL.
package struct RetryPolicy: Sendable, Equatable {
    /// Tries without progress.
    package var retries: Int
    /// How long after the first failure without progress a retry may still start.
    package var maxTime: Duration

    /// The first delay; each later one may be twice as long.
    package static let firstDelay = Duration.milliseconds(500)
    /// No own delay is longer. What a server asks for may be.
    package static let longestDelay = Duration.seconds(60)

    package init(retries: Int = 5, maxTime: Duration = .seconds(600)) {
        self.retries = retries
        self.maxTime = maxTime
    }

    /// The delay before the next attempt, or nil when it is time to give up.
    /// - Parameters:
    ///   - failures: attempts that failed in a row without a byte of progress, this one included.
    ///   - elapsed: since the first of them.
    ///   - retryAfter: what the server asked for.
    ///   - random: 0 ..< 1, for full jitter: clients that failed together do not come back together.
    package func delay(
        after failure: Failure, failures: Int, elapsed: Duration, retryAfter: Duration?, random: Double
    ) -> Duration? {
        guard failure.isTransientAlone, failures <= retries else { return nil }
        let delay = Self.pause(failures: failures, retryAfter: retryAfter, random: random)
        return elapsed + delay <= maxTime ? delay : nil
    }

    /// How long to wait after so many failures in a row, should another attempt be made.
    package static func pause(failures: Int, retryAfter: Duration?, random: Double) -> Duration {
        let doublings = min(max(failures - 1, 0), 7)
        let ceiling = min(firstDelay * (1 << doublings), longestDelay)
        return max(ceiling * random, retryAfter ?? .zero)
    }
}

/// The value of Retry-After (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// - Parameters:
    ///   - text: a line for each field.
    ///   - now: the current time, for the form that is a date.
    /// - Returns: how long to wait, never negative: the longest time of several; nil when the text is neither form. Values
    ///   beyond a day count as a day.
    package static func delay(_ text: String, now: HTTPDate) -> Duration? {
        text.split(separator: "\n").compactMap { delay(of: String($0), now: now) }.max()
    }

    private static func delay(of text: String, now: HTTPDate) -> Duration? {
        let day: Int64 = 86_400
        let blank = UInt8(ascii: " ")
        var digits = text.utf8.drop { $0 == blank }
        while digits.last == blank { digits.removeLast() }
        if !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) {
            return .seconds(min(Int64(digits: digits) ?? day, day))
        }
        guard let date = HTTPDate(text) else { return nil }
        let (wait, overflow) = date.seconds.subtractingReportingOverflow(now.seconds)
        return .seconds(overflow ? (now < date ? day : 0) : min(max(wait, 0), day))
    }
}
