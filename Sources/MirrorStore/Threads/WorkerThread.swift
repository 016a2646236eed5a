// A thread for work that blocks. Jobs go in one by one and are handed to the work in batches: all that came while the
// last batch was worked on, and those of patient jobs that come within some milliseconds more, for a sync and a
// transaction cost nearly the same for many files as for one. It never drops a job and never reorders them.

import Glibc
import MirrorThreads

/// One thread and its queue.
// @unchecked: `queue` and `isFinished` are only touched while `mutex` is held.
package final class WorkerThread<Job: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let work: @Sendable ([Job]) -> Void
    private let batchLimit: Int
    private let isPatient: @Sendable (Job) -> Bool
    private var queue: [Job] = []
    /// How many jobs of the queue do not want to wait for company.
    private var impatient = 0
    private var isAsleep = false
    private var isFinished = false

    /// A batch of this many jobs is large enough.
    private static var goodBatch: Int { 64 }
    /// How long patient jobs wait for company, in nanoseconds: at 20,000 files a second, time for 80 more.
    private static var patience: Int { 4_000_000 }

    /// Starts the thread.
    /// - Parameters:
    ///   - batchLimit: the most jobs in one batch.
    ///   - isPatient: whether a job gains by being done together with others.
    /// - Returns: nil when the system gives no thread.
    package static func start(
        batchLimit: Int, isPatient: @escaping @Sendable (Job) -> Bool = { _ in false },
        _ work: @escaping @Sendable ([Job]) -> Void
    ) -> WorkerThread? {
        let worker = WorkerThread(batchLimit, isPatient, work)
        let thread = PlatformThread { worker.run() }
        return thread == nil ? nil : worker
    }

    private init(
        _ batchLimit: Int, _ isPatient: @escaping @Sendable (Job) -> Bool, _ work: @escaping @Sendable ([Job]) -> Void
    ) {
        self.batchLimit = max(batchLimit, 1)
        self.isPatient = isPatient
        self.work = work
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
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
        let isPatient = isPatient(job)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isFinished else { return false }
        queue.append(job)
        if !isPatient { impatient += 1 }
        isFinished = isLast
        // A thread that waits for company is only woken when it has enough.
        if isAsleep, queue.count == 1 || !mayWait {
            isAsleep = false
            pthread_cond_signal(condition)
        }
        return true
    }

    private func run() {
        while let batch = nextBatch() { work(batch) }
    }

    /// Whether all of the queue can wait for company.
    private var mayWait: Bool { impatient == 0 && queue.count < Self.goodBatch && !isFinished }

    /// Waits for jobs; nil when there will be none.
    private func nextBatch() -> [Job]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while queue.isEmpty {
            if isFinished { return nil }
            isAsleep = true
            pthread_cond_wait(condition, mutex)
        }
        waitForCompany()
        isAsleep = false
        let batch = Array(queue.prefix(batchLimit))
        queue.removeFirst(batch.count)
        impatient = queue.isEmpty ? 0 : queue.count { !isPatient($0) }
        return batch
    }

    private func waitForCompany() {
        guard mayWait else { return }
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_nsec += Self.patience
        if end.tv_nsec >= 1_000_000_000 {
            end.tv_nsec -= 1_000_000_000
            end.tv_sec += 1
        }
        while mayWait {
            isAsleep = true
            if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return }
        }
    }
}
