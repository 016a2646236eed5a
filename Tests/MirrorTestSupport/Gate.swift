// A door in the middle of an answer, for tests that must act at an exact point: the origin stops there, the test
// acts, then opens.

/// A one-way switch that answers can be held at.
package final class Gate: Sendable {
    private let state = Locked(false)

    /// A closed gate.
    package init() {}

    /// Lets all held answers go on, now and later.
    package func open() { state.withLock { $0 = true } }

    /// Blocks until open, in a handler for example; false when `timeout` passed first.
    @available(*, noasync)
    package func wait(timeout: Duration) -> Bool { state.wait(timeout: timeout) { $0 } }
}
