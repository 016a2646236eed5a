// Servers that serve only so many connections of one client say so in many ways. What they refuse then is the number
// of requests and not the file.

/// Whether an answer is about how many requests an origin gets at once.
package enum CrowdRule {
    /// What an answer says of the origin.
    package enum Meaning: Sendable, Equatable {
        /// Fewer requests, and later.
        case throttled
        /// One connection fewer, if there were others.
        case refused
    }

    /// Whether a status is about the client and how much it asks for, whatever the method and the file.
    package static func isThrottle(_ status: Int) -> Bool { [429, 503].contains(status) }

    /// - Parameters:
    ///   - status: of the answer; nil when none began.
    ///   - failure: how the request ended, when it failed.
    ///   - openedConnection: whether the request came over a connection that was opened for it.
    package static func meaning(status: Int?, failure: Failure?, openedConnection: Bool) -> Meaning? {
        switch status {
        case let status? where isThrottle(status): .throttled
        // On a connection that has served files before, the server means this file.
        case 403 where openedConnection: .refused
        case nil where failure.map(isRefusal) ?? false: .refused
        default: nil
        }
    }

    /// A connection that could not be opened, or that ended before a word was said on it.
    private static func isRefusal(_ failure: Failure) -> Bool {
        failure.isTransient && [.connect, .tls].contains(failure.code)
    }
}
