// A thread of the system, for work that must not run on Swift's own threads because it blocks or polls.

import Glibc

/// Starts one thread that runs a closure to its end and then is gone: nobody can wait for it.
package struct PlatformThread: Sendable {
    /// - Returns: nil when the system has no room for another thread.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, runBody, context.toOpaque()) == 0 else {
            context.release()
            return nil
        }
        pthread_detach(thread)
    }

    fileprivate final class Body {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let body = Unmanaged<PlatformThread.Body>.fromOpaque(context).takeRetainedValue()
    body.run()
    return nil
}
