// When a request of which nothing more comes is given up. Times are nanoseconds of one monotonic clock.

/// Watches over the silence of one request, from the moment at which it is sent.
package struct StallWatch: Sendable, Equatable {
    private let limit: Int64
    /// When the last byte came, or the wait for it began; nil while there is no connection yet, for that has a time
    /// limit of its own.
    private var last: Int64?

    /// - Parameter limit: nanoseconds without a byte.
    package init(limit: Int64) { self.limit = max(limit, 1) }

    /// The request is sent. A connection that has to be opened anew on the way begins no new wait: who refuses for ever
    /// would be asked for ever.
    package mutating func begin(at time: Int64) { last = last ?? time }

    /// A byte came.
    package mutating func note(at time: Int64) { last = time }

    /// Nothing was read for a while, on this side's own account.
    package mutating func excuse(until time: Int64) { last = last.map { max($0, time) } }

    /// When it is given up; nil while nothing is waited for.
    package var deadline: Int64? {
        last.map { last in
            let (sum, overflow) = last.addingReportingOverflow(limit)
            return overflow ? .max : sum
        }
    }
}
