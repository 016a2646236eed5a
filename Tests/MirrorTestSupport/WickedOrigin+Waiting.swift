// Waiting for the origin to get somewhere, so that tests act at a point and not at a time. Each wait comes twice: to
// block a thread, and to suspend a task. A test runner has few threads, and a blocked one may be the one that the
// client needs; in async code the compiler picks the form that suspends.

extension WickedOrigin {
    /// Blocks until that many body bytes went out, for one path or all, since the last `resetLog`; false when
    /// `timeout` passed first.
    package func waitUntil(
        bodyBytesSent bytes: Int64, for path: String? = nil, timeout: Duration = Allowance.wait
    ) -> Bool {
        state.wait(timeout: timeout) { $0.bodyBytesSent(for: path) >= bytes }
    }

    /// Suspends until that many body bytes went out, as the blocking form does.
    package func waitUntil(
        bodyBytesSent bytes: Int64, for path: String? = nil, timeout: Duration = Allowance.wait
    ) async -> Bool {
        await wait(timeout: timeout) { $0.bodyBytesSent(for: path) >= bytes }
    }

    /// Blocks until that many requests came, for one path or all, since the last `resetLog`; false when `timeout`
    /// passed first.
    package func waitUntil(requests: Int, for path: String? = nil, timeout: Duration = Allowance.wait) -> Bool {
        state.wait(timeout: timeout) { $0.requestCount(for: path) >= requests }
    }

    /// Suspends until that many requests came, as the blocking form does.
    package func waitUntil(requests: Int, for path: String? = nil, timeout: Duration = Allowance.wait) async -> Bool {
        await wait(timeout: timeout) { $0.requestCount(for: path) >= requests }
    }

    /// Blocks until the log is as `condition` wants it; false when `timeout` passed first.
    package func waitUntil(
        timeout: Duration = Allowance.wait, _ condition: @escaping @Sendable ([LoggedRequest]) -> Bool
    ) -> Bool {
        state.wait(timeout: timeout) { condition($0.log) }
    }

    /// Suspends until the log is as `condition` wants it, as the blocking form does.
    package func waitUntil(
        timeout: Duration = Allowance.wait, _ condition: @escaping @Sendable ([LoggedRequest]) -> Bool
    ) async -> Bool {
        await wait(timeout: timeout) { condition($0.log) }
    }

    private func wait(timeout: Duration, until condition: @escaping @Sendable (OriginState) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let state = state
            let isStarted = startThread {
                continuation.resume(returning: state.wait(timeout: timeout, until: condition))
            }
            if !isStarted { continuation.resume(returning: false) }
        }
    }
}
