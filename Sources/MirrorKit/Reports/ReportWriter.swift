// Puts a finished report where it belongs: the files that the user asked for, the record of the run, and
// `.mirror/report.json`. All of them say the same of the run, and what the exit code says.

import MirrorCore
import MirrorStore

/// Writes a report whole or not at all.
struct ReportWriter {
    let options: SyncOptions
    let store: Store

    private enum Place {
        case file(String, any ReportForm)
        case record
        case own

        var isOfUser: Bool { if case .file = self { true } else { false } }
    }

    /// What cannot be written makes a failed report of it. Then what was written before is written again, and there is
    /// one place less with each time. Pipes and devices come last, for they take nothing back.
    /// - Returns: the report as it was written.
    func write(_ report: Report) async -> Report {
        var report = report
        var waiting = places
        var written: [Place] = []
        while !waiting.isEmpty {
            let place = waiting.removeFirst()
            guard let failure = await put(report, place) else {
                written.append(place)
                continue
            }
            report.fail(of: failure, isOfDirectory: !place.isOfUser)
            waiting = written.filter { !isInPlace($0) } + waiting
            written = []
        }
        return report
    }

    private var places: [Place] {
        let files = options.reportFiles.compactMap { name in
            ReportForms.form(forFile: name).map { Place.file(name, $0) }
        }
        let own: [Place] = options.isDryRun ? [] : [.record, .own]
        return files.filter { !isInPlace($0) } + own + files.filter(isInPlace)
    }

    private func isInPlace(_ place: Place) -> Bool {
        guard case .file(let name, _) = place else { return false }
        return AtomicFile.isInPlace(name, calls: store.calls)
    }

    /// - Returns: what went wrong, with the name of the file.
    private func put(_ report: Report, _ place: Place) async -> Failure? {
        switch place {
        case .file(let name, let form):
            put(report, form, name) { () throws(Failure) in try AtomicFile(path: name, calls: store.calls) }
        case .record:
            await store.recordRun(RunRecord(report.run, totals: report.totals))
                .map { Failure($0.code, "the run could not be recorded: \($0.message)") }
        case .own:
            put(report, JSONReport(), ".mirror/report.json") { () throws(Failure) in try store.reportFile() }
        }
    }

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

extension Report {
    /// Something of it could not be written. A file somewhere else says nothing of DIR.
    fileprivate mutating func fail(of failure: Failure, isOfDirectory: Bool) {
        self.failure = self.failure ?? failure
        if isOfDirectory, run.exitCode != .unusableDirectory {
            run.exitCode = .of(files, isInterrupted: run.isInterrupted, failure: failure)
        } else if run.exitCode == .inLine {
            run.exitCode = .someFailed
        }
    }
}
