// What the tasks and threads of a run tell the main thread, which alone prints: a terminal or pipe that does not take
// what is written then holds up nothing else.

import Glibc
import MirrorKit

/// A queue with one reader. Nothing that is posted is lost, and posting never waits.
final class Mailbox: @unchecked Sendable {
    // Unchecked: the compiler cannot see that `letters` is only touched between lock and unlock.

    /// One thing the user may have to see.
    enum Letter: Sendable {
        case warning(SourceFault)
        case ended(FileReport)
        /// A signal asked for an end in good order.
        case ending
        /// The run is over; nothing follows.
        case finished(Result<Report, SyncError>)
        /// The same of a list.
        case listed(Result<SourceList.Outcome, SyncError>)
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var letters: [Letter] = []

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Setting the wall clock must not change how long a second is.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(filled, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(filled)
        pthread_mutex_destroy(mutex)
        filled.deallocate()
        mutex.deallocate()
    }

    func post(_ letter: Letter) {
        pthread_mutex_lock(mutex)
        letters.append(letter)
        pthread_cond_signal(filled)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until there is something, or until the time is over.
    /// - Parameter deadline: on the monotonic clock, in nanoseconds; nil waits for ever.
    /// - Returns: all that was posted, in order.
    func take(until deadline: Int64?) -> [Letter] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while letters.isEmpty {
            guard let deadline else {
                pthread_cond_wait(filled, mutex)
                continue
            }
            var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            if pthread_cond_timedwait(filled, mutex, &time) != 0 { break }
        }
        defer { letters.removeAll(keepingCapacity: true) }
        return letters
    }
}
