// Threads without Foundation.

import Glibc

/// Runs `body` on a new thread that nobody joins; false when the system has none to give.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(body))
    let error = pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body() }
            return nil
        }, start.toOpaque())
    if error != 0 {
        start.release()
        return false
    }
    pthread_detach(thread)
    return true
}
