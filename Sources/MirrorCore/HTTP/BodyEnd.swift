// Whether a body that does not say its own length has come whole.

/// The rule for the end of such a body.
package enum BodyEnd {
    /// Why the body is not whole; nil when it counts as whole. Without any other word of its length, the bare end of a TLS
    /// connection proves nothing: anybody on the way can make one (RFC 9112 section 9.8).
    /// - Parameters:
    ///   - received: bytes of the body.
    ///   - expected: bytes that there must be; nil where nobody said.
    ///   - wasCutOff: whether a TLS connection ended without close_notify.
    package static func failure(received: Int64, expected: Int64?, wasCutOff: Bool) -> Failure? {
        if let expected {
            return expected == received ? nil : .truncated(received: received, expected: expected)
        }
        guard wasCutOff else { return nil }
        return Failure(
            .truncated,
            "the TLS connection was cut off after \(received) bytes, and nothing says that these are all",
            isTransient: true)
    }
}
