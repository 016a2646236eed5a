// A value behind a lock that other threads can wait on. The origin's threads and the test that watches them meet
// here and nowhere else. Synchronization.Mutex has no condition to wait for, hence the pthread pair.

import Glibc

// `@unchecked`: `value` is touched only between lock and unlock of `mutex`; the two pointers never change.
/// A value that is only reachable with its lock held; every change wakes those who wait for it.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A value that is not locked yet.
    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A test machine may set its clock while a test waits.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the lock held, then wakes all waiters.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Reads with the lock held; wakes nobody.
    package func read<Result>(_ body: (Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(value)
    }

    /// Blocks until `condition` holds; false when `timeout` passed first.
    package func wait(timeout: Duration, until condition: (Value) -> Bool) -> Bool {
        var deadline = MonotonicTime.now.advanced(by: timeout).timespec
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !condition(value) {
            if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { return condition(value) }
        }
        return true
    }
}
