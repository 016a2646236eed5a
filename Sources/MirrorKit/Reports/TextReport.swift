// The report for people: what happened to each file, and the sums.

import MirrorCore

/// Writes a report as plain text, one line a file.
public struct TextReport: ReportForm {
    /// Whether files that were in line are listed too.
    public var listsUnchanged: Bool
    /// How many lines are given to files; failures are always listed. nil for all.
    public var limit: Int?

    /// The whole report, unless told otherwise.
    public init(listsUnchanged: Bool = true, limit: Int? = nil) {
        self.listsUnchanged = listsUnchanged
        self.limit = limit
    }

    /// One call of `sink` for each line on a file, and one for the sums.
    public func write(_ report: Report, to sink: (_ bytes: [UInt8]) throws(Failure) -> Void) throws(Failure) {
        try list(report.files, to: sink)
        try sink(Array(summary(report).utf8))
    }

    private func list(
        _ files: [FileReport], to sink: (_ bytes: [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var listed = 0
        var left = 0
        for file in files where listsUnchanged || file.status != .unchanged {
            if let limit, listed >= limit, file.status != .failed {
                left += 1
                continue
            }
            listed += 1
            try sink(Array(line(file).utf8))
        }
        if left > 0 { try sink(Array("  … and \(Amount.count(left, "more file"))\n".utf8)) }
        if listed > 0 { try sink([0x0A]) }
    }

    private func line(_ file: FileReport) -> String {
        let name = file.path.isEmpty ? file.url : file.path
        var line = "  \(pad(file.action.rawValue, 8)) \(pad(word(file.status), 12)) \(Printable.text(name))"
        if let bytes = bytes(of: file) { line += "  \(bytes)" }
        // A failure before the plan is its own reason.
        let isSaid = file.reason.hasSameBytes(as: file.failure?.message ?? "")
        line += isSaid ? "\n" : "  (\(Printable.text(file.reason)))\n"
        if let failure = file.failure {
            line += "           \(failure.code.rawValue): \(Printable.text(failure.message))\n"
            if !file.path.isEmpty { line += "           \(Printable.text(file.url))\n" }
        }
        return line
    }

    private func bytes(of file: FileReport) -> String? {
        switch file.status {
        case .planned: file.ranges.map { _ in "\(Amount.bytes(file.bytesToFetch)) to fetch" } ?? "size unknown"
        case .done, .interrupted: Amount.bytes(file.bytesFetched)
        case .unchanged, .failed, .removed: nil
        }
    }

    private func word(_ status: FileStatus) -> String { status.rawValue }

    private func summary(_ report: Report) -> String {
        let totals = report.totals
        let actions = Action.allCases.compactMap { action in
            totals.actions[action].map { "\($0) \(action.rawValue)" }
        }
        var text = Amount.count(totals.files, "file")
        if !actions.isEmpty { text += ": " + actions.joined(separator: ", ") }
        text += report.run.isDryRun ? "; nothing was changed\n" : "\n"
        text += report.run.isDryRun ? plannedBytes(report) : fetchedBytes(totals)
        if totals.failed > 0 { text += "\(Amount.count(totals.failed, "file")) failed\n" }
        if report.run.isInterrupted { text += "ended early: run again to go on\n" }
        if let failure = report.failure { text += "\(failure.code.rawValue): \(Printable.text(failure.message))\n" }
        return text
    }

    private func plannedBytes(_ report: Report) -> String {
        let unknown = report.files.count { $0.status == .planned && $0.ranges == nil }
        let more = unknown > 0 ? ", and \(Amount.count(unknown, "file")) of unknown size" : ""
        return "\(Amount.bytes(report.totals.bytesToFetch)) to fetch\(more)\n"
    }

    private func fetchedBytes(_ totals: Totals) -> String {
        var text = "\(Amount.bytes(totals.bytesFetched)) fetched"
        if totals.bytesReused > 0 { text += ", \(Amount.bytes(totals.bytesReused)) reused" }
        text += " in \(Amount.seconds(totals.seconds))"
        if totals.seconds > 0, totals.bytesFetched > 0 {
            text += " (\(Amount.bytes(Int64(min(Double(totals.bytesFetched) / totals.seconds, 1e18))))/s)"
        }
        text += ", \(Amount.count(totals.requests, "request"))"
        if totals.retries > 0 { text += ", \(Amount.count(totals.retries, "retry", "retries"))" }
        return text + "\n"
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.utf8.count, 0))
    }
}
