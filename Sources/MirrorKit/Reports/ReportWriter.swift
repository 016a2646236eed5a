// Puts a finished report where it belongs: `.mirror/report.json` and the files that the user asked for.

import MirrorCore
import MirrorStore

/// Writes a report whole or not at all.
struct ReportWriter {
    let options: SyncOptions
    let store: Store

    /// Mirror's own report comes last, so that it knows how the others went.
    /// - Returns: the report, which a file that could not be written makes a failed one.
    func write(_ report: Report) async -> Report {
        var report = report
        for name in options.reportFiles {
            guard let form = ReportForms.form(forFile: name) else { continue }
            let failure = put(report, form, name) { () throws(Failure) in
                try AtomicFile(path: name, calls: store.calls)
            }
            guard let failure else { continue }
            report.failure = report.failure ?? failure
            if report.run.exitCode == .inLine { report.run.exitCode = .someFailed }
        }
        if options.isDryRun { return report }
        let unrecorded = await store.recordRun(RunRecord(report.run, totals: report.totals))
            .map { Failure($0.code, "the run could not be recorded: \($0.message)") }
        let unwritten = put(report, JSONReport(), ".mirror/report.json") { () throws(Failure) in
            try store.reportFile()
        }
        guard let failure = unwritten ?? unrecorded else { return report }
        report.failure = report.failure ?? failure
        report.run.exitCode = .of(report.files, isInterrupted: report.run.isInterrupted, failure: failure)
        return report
    }

    /// - Returns: what went wrong, with the name of the file.
    private func put(
        _ report: Report, _ form: any ReportForm, _ name: String, to open: () throws(Failure) -> AtomicFile
    ) -> Failure? {
        do throws(Failure) {
            try put(report, form, try open())
            return nil
        } catch {
            return Failure(error.code, "the report «\(name)» could not be written: \(error.message)")
        }
    }

    private func put(_ report: Report, _ form: any ReportForm, _ file: consuming AtomicFile) throws(Failure) {
        try form.write(report) { (bytes) throws(Failure) in try file.append(bytes) }
        try file.commit()
    }
}
