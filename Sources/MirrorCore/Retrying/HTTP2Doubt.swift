// When an origin is asked without HTTP/2 for the rest of a run.

/// What is known of HTTP/2 at one origin.
package struct HTTP2Doubt: Sendable, Equatable {
    /// What the end of a request says of it.
    package enum Sign: Sendable, Equatable {
        /// An answer began.
        case answer
        /// HTTP/2 itself failed.
        case failure
        /// A new connection over TLS ended without a word. So it looks when every stream is refused, and also when a
        /// server takes no more connections, or dies.
        case silence
    }

    /// So many silences without an answer between them, each of a request that was sent after the one before had ended,
    /// are no chance.
    package static let limit = 2

    package private(set) var isAvoided = false
    private var silences = 0
    private var lastSent = 0

    package init() {}

    /// - Parameters:
    ///   - number: of the request, in the order in which they were sent.
    ///   - sent: how many have been sent by now.
    package mutating func note(_ sign: Sign, number: Int, sent: Int) {
        switch sign {
        case .answer: silences = 0
        case .failure: isAvoided = true
        case .silence:
            guard number > lastSent else { return }
            lastSent = sent
            silences += 1
            isAvoided = isAvoided || silences >= Self.limit
        }
    }
}
