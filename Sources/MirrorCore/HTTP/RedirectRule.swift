// Where a redirect may lead.

/// The rule for following redirects (RFC 9110 section 15.4).
package enum RedirectRule {
    /// How many redirects one request follows.
    package static let limit = 20

    package static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Where an answer leads to; nil for one that is the end of the way.
    package static func target(of head: ResponseHead) -> String? { isRedirect(head.status) ? head.location : nil }

    /// Why a redirect must not be followed; nil when it may be.
    /// - Parameter count: how many were followed before this one.
    package static func refusal(from: Address, to: Address, count: Int) -> Failure? {
        if count >= limit { return .redirects(limit) }
        let source = from.origin.scheme, target = to.origin.scheme
        if target == "file" { return Failure(.unsupported, "a redirect leads to a local file") }
        if source == "https", target != "https" {
            return Failure(.unsupported, "a redirect leads from https to \(target)")
        }
        if source == "http", target != "http", target != "https" {
            return Failure(.unsupported, "a redirect leads from http to \(target)")
        }
        return nil
    }
}
