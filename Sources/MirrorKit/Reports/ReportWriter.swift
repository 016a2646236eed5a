// Puts a finished report where it belongs: `.mirror/report.json` and the files that the user asked for.

import MirrorCore
import MirrorStore

/// Writes a report whole or not at all.
struct ReportWriter {
    let options: SyncOptions
    let store: Store

    /// - Returns: the report, which a file that could not be written makes a failed one.
    func write(_ report: Report) async -> Report {
        var failure: Failure?
        if !options.isDryRun {
            failure = await store.recordRun(RunRecord(report.run, totals: report.totals))
            failure = failed { () throws(Failure) in try put(report, JSONReport(), try store.reportFile()) } ?? failure
        }
        for name in options.reportFiles {
            guard let form = ReportForms.form(forFile: name) else { continue }
            failure = failed { () throws(Failure) in try put(report, form, try AtomicFile(path: name)) } ?? failure
        }
        guard let failure else { return report }
        var report = report
        report.failure = report.failure ?? Failure(failure.code, "the report could not be written: \(failure.message)")
        if report.run.exitCode == .inLine { report.run.exitCode = .someFailed }
        return report
    }

    private func failed(_ body: () throws(Failure) -> Void) -> Failure? {
        do throws(Failure) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private func put(_ report: Report, _ form: any ReportForm, _ file: consuming AtomicFile) throws(Failure) {
        try form.write(report) { (bytes) throws(Failure) in try file.append(bytes) }
        try file.commit()
    }
}
