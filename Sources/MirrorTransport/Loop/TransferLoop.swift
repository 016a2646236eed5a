// One thread that owns libcurl. It is also an executor: actors that live on it share the thread with the transfers,
// so that an answer reaches the code that waits for it by a function call and no lock guards what they hold.
// Nothing here is global; several loops can run.

import CCurl
import Dispatch
import Glibc
import MirrorThreads

/// Runs jobs and transfers in turn on one thread of its own.
///
/// Every task that enters an actor of the loop must prefer this executor (`Task(executorPreference:)`): Swift 6.3 may
/// resume a continuation of such an actor on «no particular» executor, and only the preference keeps that from being
/// another thread (measured: half of the resumptions of a task without it).
package final class TransferLoop: SerialExecutor, TaskExecutor {
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var isAsleep = false
        var isEnding = false
        /// No more jobs are taken.
        var hasEnded = false
        /// The thread holds nothing any more.
        var isOver = false
        var waiting: [UnsafeContinuation<Void, Never>] = []
    }

    private let inbox = Locked(Inbox())
    /// Where jobs run that come after the end: there is nothing left for them to do, but somebody waits for them.
    private let afterlife = DispatchQueue(label: "mirror.transfers.ended")
    private let owner = Locked<pthread_t?>(nil)
    // The only function that libcurl lets other threads call on a multi handle is curl_multi_wakeup, and that is
    // all that these two are used for outside the loop's thread.
    nonisolated(unsafe) private let wakers: (transfers: UnsafeMutableRawPointer, alarm: UnsafeMutableRawPointer)

    /// - Parameters:
    ///   - transfers: the multi handle that drives the transfers; like the other it must outlive the loop.
    ///   - alarm: a multi handle without transfers. Waiting on it is waiting for a wake-up alone, which is what a
    ///     limited rate wants: sockets that are not read fill up, and TCP slows the servers down.
    init(transfers: UnsafeMutableRawPointer, alarm: UnsafeMutableRawPointer) { wakers = (transfers, alarm) }

    /// Starts the thread.
    /// - Parameters:
    ///   - turn: moves the transfers on; called on the thread after the waiting jobs.
    ///   - hold: milliseconds for which sockets are not to be read.
    ///   - wait: milliseconds that may pass without a turn where nothing happens.
    ///   - leave: gives back what the thread holds; called last.
    /// - Returns: nil when the system has no room for a thread.
    func start(
        turn: @escaping @Sendable () -> Void, hold: @escaping @Sendable () -> Int32,
        wait: @escaping @Sendable () -> Int32, leave: @escaping @Sendable () -> Void
    ) -> PlatformThread? {
        PlatformThread { [self] in
            owner.withLock { $0 = pthread_self() }
            run(turn, hold, wait)
            leave()
            announceEnd()
        }
    }

    /// Ends the thread after the jobs that wait now, and returns when it holds nothing any more.
    func end() async {
        await withUnsafeContinuation { continuation in
            let isOver = inbox.withLock { inbox in
                inbox.isEnding = true
                if !inbox.hasEnded { wake() }
                if !inbox.isOver { inbox.waiting.append(continuation) }
                return inbox.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func wake() {
        curl_multi_wakeup(wakers.transfers)
        curl_multi_wakeup(wakers.alarm)
    }

    private func run(_ turn: () -> Void, _ hold: () -> Int32, _ wait: () -> Int32) {
        var jobs: [UnownedJob] = []
        while true {
            let hasEnded = inbox.withLock { inbox in
                swap(&inbox.jobs, &jobs)
                inbox.isAsleep = false
                inbox.hasEnded = inbox.isEnding && jobs.isEmpty
                return inbox.hasEnded
            }
            if hasEnded { return }
            for job in jobs { run(job) }
            jobs.removeAll(keepingCapacity: true)
            let hold = hold()
            if hold == 0 { turn() }
            let mayWait = inbox.withLock { inbox in
                inbox.isAsleep = inbox.jobs.isEmpty && !inbox.isEnding
                return inbox.isAsleep
            }
            guard mayWait else { continue }
            // libcurl shortens the wait to its own next deadline.
            curl_multi_poll(hold == 0 ? wakers.transfers : wakers.alarm, nil, 0, hold == 0 ? wait() : hold, nil)
        }
    }

    /// OpenSSL holds generators and errors for each thread. A process that ends at the same moment would take its library
    /// down first, so that the thread could not give them back.
    private func announceEnd() {
        OPENSSL_thread_stop()
        let waiting = inbox.withLock { inbox in
            inbox.isOver = true
            return inbox.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = inbox.withLock { inbox in
            if inbox.hasEnded { return false }
            inbox.jobs.append(job)
            guard inbox.isAsleep else { return true }
            inbox.isAsleep = false
            // With the lock held: this job may be the last one, and what wakes the loop is freed soon after it ran.
            wake()
            return true
        }
        if !isTaken { afterlife.async { self.run(job) } }
    }

    private func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    /// Whether the caller is on the loop's thread: callbacks of libcurl are, outside of any task.
    package func checkIsolated() {
        let isOwner = owner.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        precondition(isOwner, "called outside the transfer loop's thread")
    }
}
