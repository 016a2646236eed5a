// One `mirror sync` from its settings to its exit code. The main thread waits for three things, and it alone prints:
// what the run tells, the next second, the end.

import Glibc
import MirrorKit

/// Runs a sync and shows it.
struct SyncCommand {
    private let settings: Settings
    private let mailbox = Mailbox()
    private let started = MonotonicClock.now
    private var display: ProgressDisplay
    private var progress = ProgressText()
    private var standardError = Output(descriptor: STDERR_FILENO)

    init(_ settings: Settings) {
        self.settings = settings
        display = ProgressDisplay(settings, isTerminal: Terminal.isStandardError)
    }

    /// - Returns: the exit code.
    mutating func run() -> Int32 {
        let sync = Sync(settings.sync)
        let signals = SignalWatch(sync, mailbox)
        signals.start()
        start(sync)
        let result = show(sync)
        signals.runHasEnded()
        standardError.append(display.clear())
        let code = show(result)
        standardError.flush()
        return code.rawValue
    }

    /// Begins the run, on Swift's own threads.
    private func start(_ sync: Sync) {
        let mailbox = mailbox
        let listener = listen(to: sync)
        Task.detached {
            let result: Result<Report, SyncError>
            do throws(SyncError) {
                result = .success(try await sync.run())
            } catch {
                result = .failure(error)
            }
            await listener?.value
            mailbox.post(.finished(result))
        }
    }

    /// - Returns: nil where nobody wants to know.
    private func listen(to sync: Sync) -> Task<Void, Never>? {
        guard settings.wording != .quiet else { return nil }
        let mailbox = mailbox
        let isVerbose = settings.wording == .verbose
        let events = sync.events(includingFiles: isVerbose)
        return Task.detached {
            for await event in events {
                switch event {
                case .warning(let warning): mailbox.post(.warning(warning))
                case .finished(let file): if isVerbose { mailbox.post(.ended(file)) }
                case .planned, .started: break
                }
            }
        }
    }

    /// Shows what happens until nothing more does.
    private mutating func show(_ sync: Sync) -> Result<Report, SyncError> {
        var tick: Int64 = 1
        while true {
            let deadline = started + tick * 1_000_000_000
            for letter in mailbox.take(until: display.isShown ? deadline : nil) {
                if case .finished(let result) = letter { return result }
                standardError.append(display.clear() + text(of: letter))
            }
            let now = MonotonicClock.now
            if display.isShown, now >= deadline {
                // Seconds that were missed, as while the process was stopped, are not made up for.
                tick = (now - started) / 1_000_000_000 + 1
                showProgress(sync.progress, now)
            }
            standardError.flush()
        }
    }

    private mutating func showProgress(_ moment: Progress, _ now: Int64) {
        let line = progress.line(moment, at: Double(now - started) / 1e9)
        standardError.append(
            display.show(line, columns: Terminal.columns, isForeground: Terminal.isForeground))
    }

    private func text(of letter: Mailbox.Letter) -> String {
        switch letter {
        case .warning(let warning): Wording.warning(warning)
        case .ended(let file): Wording.ended(file)
        case .ending: Wording.ending
        case .finished, .listed: ""
        }
    }

    private mutating func show(_ result: Result<Report, SyncError>) -> ExitCode {
        switch result {
        case .failure(let error):
            standardError.append(Wording.syncError(error, directory: settings.sync.directory))
            return error.exitCode
        case .success(let report):
            if settings.wording == .quiet {
                for file in report.files { Wording.failure(of: file).map { standardError.append($0) } }
            } else {
                showReport(report)
            }
            if let failure = report.failure { standardError.append(Wording.failure(of: failure)) }
            return report.run.exitCode
        }
    }

    private mutating func showReport(_ report: Report) {
        standardError.flush()
        var output = Output(descriptor: STDOUT_FILENO)
        let isWhole = settings.wording == .verbose || report.run.isDryRun
        let form = TextReport(listsUnchanged: settings.wording == .verbose, limit: isWhole ? nil : 40)
        // The form throws only what its sink throws, and this one throws nothing.
        try? form.write(report) { output.append($0) }
        output.flush()
        if output.hasFailed, let code = output.errorCode {
            standardError.append(Wording.error("standard output: \(String(cString: strerror(code)))"))
        }
    }
}
