// How the origin closes a connection.

/// The two ways a TCP connection ends.
package enum Ending: Sendable, Equatable {
    /// An orderly close, which a client cannot tell from the end of a close-delimited body.
    case fin
    /// A reset, sent only after all bytes before it have been acknowledged.
    case rst
}
