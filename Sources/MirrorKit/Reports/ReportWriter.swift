// Puts a finished report where it belongs: `.mirror/report.json` and the files that the user asked for.

import MirrorCore
import MirrorStore

/// Writes a report whole or not at all.
struct ReportWriter {
    let options: SyncOptions
    let store: Store

    /// - Returns: the report, which a file that could not be written makes a failed one.
    func write(_ report: Report) async -> Report {
        var report = report
        if !options.isDryRun {
            await store.recordRun(RunRecord(report.run, totals: report.totals))
            keep(&report) { () throws(Failure) in try put(report, JSONReport(), try store.reportFile()) }
        }
        for name in options.reportFiles {
            guard let form = ReportForms.form(forFile: name) else { continue }
            keep(&report) { () throws(Failure) in try put(report, form, try AtomicFile(path: name)) }
        }
        return report
    }

    private func keep(_ report: inout Report, _ body: () throws(Failure) -> Void) {
        do throws(Failure) {
            try body()
        } catch {
            if report.failure == nil {
                report.failure = Failure(error.code, "the report could not be written: \(error.message)")
            }
            if report.run.exitCode == .inLine { report.run.exitCode = .someFailed }
        }
    }

    private func put(_ report: Report, _ form: any ReportForm, _ file: consuming AtomicFile) throws(Failure) {
        try form.write(report) { (bytes) throws(Failure) in try file.append(bytes) }
        try file.commit()
    }
}
