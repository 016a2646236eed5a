// A value behind a lock. It stands in for `Synchronization.Mutex`, on which ThreadSanitizer reports races that are
// none: it knows pthread mutexes.

import Glibc

/// A value that several threads use, one at a time.
// @unchecked: `value` is only touched while the mutex is held.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` alone. It must not call back into the same lock.
    package func withLock<Result, Problem: Error>(
        _ body: (inout Value) throws(Problem) -> sending Result
    ) throws(Problem) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
