// The origin's record of one request, for a test to read after the fact.

/// A request and what became of it.
package struct LoggedRequest: Sendable {
    /// How the answer ended.
    package enum Outcome: Sendable, Equatable {
        case inProgress
        /// All of the answer was sent; with a wrong framing that may be less or more than announced.
        case complete
        /// The origin ended the connection on purpose.
        case cut(Ending)
        /// The client closed the connection, or the origin was stopped.
        case interrupted
    }

    /// The request as its handler saw it.
    package var request: Request
    /// The status sent; nil while there was none.
    package var status: Int?
    /// Bytes of the body handed to the socket, without the framing of chunked coding.
    package var bodyBytesSent: Int64 = 0
    /// How the answer ended, or that it has not.
    package var outcome = Outcome.inProgress

    /// The method of the request.
    package var method: String { request.method }
    /// The target of the request, with its query.
    package var target: String { request.target }
    /// The headers of the request.
    package var headers: Headers { request.headers }
    /// The number of its connection.
    package var connection: Int { request.connection }

    func isFor(_ path: String) -> Bool { request.target == path || request.path == path }
}
