// How a request ended. Exactly one comes out for each request that went in.

import MirrorCore

/// The end of one request.
package struct Completion: Sendable {
    package enum Outcome: Sendable, Equatable {
        /// The answer arrived whole.
        case finished
        /// The receiver did not want (more of) the body.
        case stopped
        /// The task that waited for it was cancelled.
        case cancelled
        case failed(Failure)
    }

    package var outcome: Outcome
    /// nil when no final response began.
    package var head: ResponseHead?
    /// Body bytes that arrived.
    package var bodyBytes: Int64
    /// Whether a connection was opened for it, successfully or not.
    package var openedConnection = true
    /// Whether HTTP/2 itself failed: a stream that was refused or reset, a connection that took no more of them.
    package var failedInHTTP2 = false
    /// Whether a new connection over TLS ended without a word.
    package var isSilentTLS = false

    /// Whether a body that ends with its TLS connection ended without close_notify: it may be cut anywhere.
    package var wasCutOff = false

    package init(outcome: Outcome, head: ResponseHead? = nil, bodyBytes: Int64 = 0) {
        self.outcome = outcome
        self.head = head
        self.bodyBytes = bodyBytes
    }

    /// What went wrong, if anything did.
    package var failure: Failure? { if case .failed(let failure) = outcome { failure } else { nil } }
}

/// Takes one response. Both calls come on the loop's thread, the head once and before the first byte. A redirect is not
/// shown; it comes out with the completion.
package protocol ResponseReceiver: AnyObject, Sendable {
    /// - Returns: whether the body is wanted.
    func receive(head: ResponseHead) -> Bool
    /// - Parameter bytes: valid during the call only.
    /// - Returns: whether more is wanted.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}
