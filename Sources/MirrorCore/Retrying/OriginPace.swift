// How many requests one origin gets at once, and from when on. What one file learns of an origin holds for all.

/// The state of one origin. Times are durations since any fixed start, the same for all calls.
package struct OriginPace: Sendable, Equatable {
    /// What the user allows.
    package let limit: Int
    /// What the origin allows at present.
    package private(set) var allowed: Int
    package private(set) var running = 0
    /// Requests so far.
    package private(set) var started = 0
    /// Nothing is sent before.
    package private(set) var heldUntil: Duration?
    private var answersSinceChange = 0
    /// Requests that were on their way when the count was last lowered: their refusals tell nothing new.
    private var underWay = 0

    package init(limit: Int) {
        self.limit = max(limit, 1)
        allowed = self.limit
    }

    /// Whether fewer requests run than the origin takes.
    package var hasRoom: Bool { running < allowed }

    /// One request that was started.
    package struct Ticket: Sendable, Equatable {
        /// Later requests have larger ones.
        package let number: Int
        fileprivate let hadCompany: Bool
    }

    @discardableResult package mutating func start() -> Ticket {
        running += 1
        started += 1
        return Ticket(number: started, hadCompany: running > 1)
    }

    /// Whether others ran at any time beside a request that is about to finish: those that it was refused for may have
    /// ended before the refusal came.
    package func hadCompany(_ ticket: Ticket) -> Bool { ticket.hadCompany || started > ticket.number }

    package mutating func finish() {
        running = max(running - 1, 0)
        underWay = max(underWay - 1, 0)
    }

    /// 429 or 503: nothing until then, and half of the requests at once. The answers to requests that were under way
    /// together halve them once. To be called before `finish()`.
    package mutating func throttle(until time: Duration?) {
        if let time { heldUntil = max(heldUntil ?? .zero, time) }
        guard underWay == 0 else { return }
        allowed = max(allowed / 2, 1)
        answersSinceChange = 0
        underWay = running
    }

    /// A connection was refused. While others were open that means one less; alone it means nothing. Those that were
    /// under way together and end together, as when a server begins anew, mean one less in all. To be called before
    /// `finish()`.
    package mutating func refuse(_ ticket: Ticket) {
        guard hadCompany(ticket), underWay == 0 else { return }
        allowed = max(min(allowed, max(running, 2)) - 1, 1)
        answersSinceChange = 0
        underWay = running
    }

    /// A good answer. One more request is allowed after as many good answers as there are requests at once.
    package mutating func succeed() {
        guard allowed < limit else { return }
        answersSinceChange += 1
        if answersSinceChange >= allowed {
            allowed += 1
            answersSinceChange = 0
        }
    }
}
