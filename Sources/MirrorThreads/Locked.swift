// A value behind a mutex. Built on pthread because ThreadSanitizer does not understand the standard library's Mutex
// on Linux and reports races that are none.

import Glibc

/// Guards a value: every access holds the lock.
package final class Locked<Value>: @unchecked Sendable {
    // Unchecked: the compiler cannot see that `value` is only touched between lock and unlock.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inline(__always)
    package func withLock<Result, Problem: Error>(
        _ body: (inout Value) throws(Problem) -> sending Result
    ) throws(Problem) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
