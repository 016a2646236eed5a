// Signals, taken by a thread of its own: no handler ever interrupts other code. The thread prints nothing, so that it
// is there for a second signal also while standard error takes nothing.

import Glibc
import MirrorKit
import MirrorThreads

/// Turns signals into orders to a sync.
struct SignalWatch: Sendable {
    /// Decides what a signal means.
    private struct Course {
        var isEnding = false
        var hasEnded = false
    }

    private let signals: sigset_t
    private let course = Locked(Course())
    private let sync: Sync
    private let mailbox: Mailbox

    /// Blocks the signals in this thread and in all that it starts; to be called before there are others. A signal
    /// that is ignored already stays so: that is how nohup and shells without job control ask for it.
    init(_ sync: Sync, _ mailbox: Mailbox) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT] where !Self.isIgnored(signal) {
            sigaddset(&signals, signal)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        self.signals = signals
        self.sync = sync
        self.mailbox = mailbox
    }

    /// Begins to listen. Without room for a thread the signals do what they do by default.
    func start() {
        let thread = PlatformThread { listen() }
        guard thread == nil else { return }
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// From now on a signal ends the process at once: only the report is still to be shown.
    func runHasEnded() { course.withLock { $0.hasEnded = true } }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // SIG_IGN is a number in the place of a function.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private func listen() {
        var signals = signals
        while true {
            var signal: Int32 = 0
            guard sigwait(&signals, &signal) == 0 else { continue }
            take(signal)
        }
    }

    private func take(_ signal: Int32) {
        switch signal {
        case SIGTSTP:
            // All connections stand still before the process does, so that no timeout runs out while it is stopped.
            Task.detached { [sync] in
                await sync.pause()
                kill(getpid(), SIGSTOP)
            }
        case SIGCONT: Task.detached { [sync] in await sync.resume() }
        default:
            let isFirst = course.withLock { course in
                defer { course.isEnding = true }
                return !course.isEnding && !course.hasEnded
            }
            guard isFirst else { return endAtOnce(by: signal) }
            sync.cancel()
            mailbox.post(.ending)
        }
    }

    /// Ends the process as if the signal had never been looked at, so that the caller sees what ended it.
    private func endAtOnce(by signal: Int32) {
        Glibc.signal(signal, SIG_DFL)
        var one = sigset_t()
        sigemptyset(&one)
        sigaddset(&one, signal)
        pthread_sigmask(SIG_UNBLOCK, &one, nil)
        raise(signal)
    }
}
