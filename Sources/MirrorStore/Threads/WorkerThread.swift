// A thread for work that blocks. Jobs go in one by one and are handed to the work in batches: all that came while the
// last batch was worked on. It never drops a job and never reorders them.

import Glibc
import MirrorThreads

/// One thread and its queue.
// @unchecked: `queue` and `isFinished` are only touched while `mutex` is held.
package final class WorkerThread<Job: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let work: @Sendable ([Job]) -> Void
    private let batchLimit: Int
    private var queue: [Job] = []
    private var isFinished = false

    /// Starts the thread.
    /// - Parameter batchLimit: the most jobs in one batch.
    /// - Returns: nil when the system gives no thread.
    package static func start(
        batchLimit: Int, _ work: @escaping @Sendable ([Job]) -> Void
    ) -> WorkerThread? {
        let worker = WorkerThread(batchLimit: batchLimit, work)
        let thread = PlatformThread {
            // Nobody joins it: what it was asked for tells when it is done.
            pthread_detach(pthread_self())
            worker.run()
        }
        return thread == nil ? nil : worker
    }

    private init(batchLimit: Int, _ work: @escaping @Sendable ([Job]) -> Void) {
        self.batchLimit = max(batchLimit, 1)
        self.work = work
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// - Returns: false when the thread has been told to end, and the job was not taken.
    @discardableResult
    package func add(_ job: Job) -> Bool { add(job, isLast: false) }

    /// Adds the last job; the thread ends after it.
    @discardableResult
    package func finish(with job: Job) -> Bool { add(job, isLast: true) }

    private func add(_ job: Job, isLast: Bool) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isFinished else { return false }
        queue.append(job)
        isFinished = isLast
        pthread_cond_signal(condition)
        return true
    }

    private func run() {
        while let batch = nextBatch() { work(batch) }
    }

    /// Waits for jobs; nil when there will be none.
    private func nextBatch() -> [Job]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while queue.isEmpty {
            if isFinished { return nil }
            pthread_cond_wait(condition, mutex)
        }
        guard queue.count > batchLimit else {
            defer { queue = [] }
            return queue
        }
        defer { queue.removeFirst(batchLimit) }
        return Array(queue.prefix(batchLimit))
    }
}
