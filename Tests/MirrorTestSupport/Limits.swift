// What the origin as a whole grants its clients, over all paths.

/// Limits of an origin; the default grants everything.
package struct Limits: Sendable {
    /// What meets a connection above the limit.
    package enum Overflow: Sendable {
        /// This answer to its first request, then the end of the connection.
        case answer(Answer)
        /// The end of the connection at once, without reading.
        case closed(Ending)
    }

    /// Open connections at one time, idle ones included.
    package var connections = Int.max
    /// What meets the connections above `connections`.
    package var overflow = Overflow.answer(.status(503))
    /// Requests being answered at one time; the others get `busyAnswer` and keep their connection.
    package var concurrentRequests = Int.max
    /// What the requests above `concurrentRequests` get.
    package var busyAnswer = Answer.status(503)
    /// Bytes per second of each connection, unless the answer has a pace of its own.
    package var bytesPerSecond: Int?
    /// Requests after which a connection ends.
    package var requestsPerConnection = Int.max
    /// Whether the last answer of a connection says `Connection: close`.
    package var announcesClose = true
    /// Silence before each answer.
    package var requestDelay = Duration.zero

    /// No limits.
    package init() {}

    /// No limits but for what `change` sets: `Limits { $0.connections = 2 }`.
    package init(_ change: (inout Limits) -> Void) {
        self.init()
        change(&self)
    }
}
