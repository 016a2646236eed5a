// The report as JSON, `mirror-report/1` of the contract. Values that are not known are left out.

import MirrorCore

/// Writes a report as a stream of JSON.
public struct JSONReport: ReportForm {
    /// So many bytes go out at once.
    private static let flushSize = 64 << 10

    /// The form has no settings.
    public init() {}

    /// Calls `sink` whenever a large step is full, and once at the end.
    public func write(_ report: Report, to sink: (_ bytes: [UInt8]) throws(Failure) -> Void) throws(Failure) {
        var json = JSONText()
        json.openObject()
        json.field("schema", "mirror-report/1")
        json.newline()
        json.key("tool")
        json.openObject()
        json.field("name", "mirror")
        json.field("version", MirrorVersion.current)
        json.closeObject()
        json.newline()
        add(report.run, report.failure, to: &json)
        json.newline()
        add(report.totals, to: &json)
        json.newline()
        json.key("files")
        json.openArray()
        for file in report.files {
            json.newline()
            add(file, to: &json)
            if json.bytes.count >= Self.flushSize { try sink(json.take()) }
        }
        json.newline()
        json.closeArray()
        json.closeObject()
        json.finish()
        try sink(json.take())
    }

    private func add(_ run: RunReport, _ failure: Failure?, to json: inout JSONText) {
        json.key("run")
        json.openObject()
        json.field("id", run.id)
        json.field("started", run.started.isoText)
        json.field("finished", run.finished.isoText)
        json.field("dry_run", run.isDryRun)
        json.key("sources")
        json.openArray()
        for source in run.sources { json.value(source) }
        json.closeArray()
        json.field("directory", run.directory)
        json.field("exit_code", Int(run.exitCode.rawValue))
        json.field("interrupted", run.isInterrupted)
        add(failure, to: &json)
        json.closeObject()
    }

    private func add(_ totals: Totals, to json: inout JSONText) {
        json.key("totals")
        json.openObject()
        json.field("files", totals.files)
        json.field("failed", totals.failed)
        json.field("bytes_total", totals.bytesTotal)
        json.field("bytes_to_fetch", totals.bytesToFetch)
        json.field("bytes_fetched", totals.bytesFetched)
        json.field("bytes_reused", totals.bytesReused)
        json.field("requests", totals.requests)
        json.field("retries", totals.retries)
        json.key("seconds")
        json.seconds(totals.seconds)
        json.key("actions")
        json.openObject()
        for action in Action.allCases { json.field(action.rawValue, totals.actions[action] ?? 0) }
        json.closeObject()
        json.closeObject()
    }

    private func add(_ file: FileReport, to json: inout JSONText) {
        json.openObject()
        json.field("path", file.path)
        json.field("url", file.url)
        json.field("action", file.action.rawValue)
        json.field("reason", file.reason)
        json.field("status", file.status.rawValue)
        json.field("local_size", file.localSize)
        json.field("remote_size", file.remoteSize)
        add(file.ranges, to: &json)
        json.field("bytes_fetched", file.bytesFetched)
        json.field("etag", file.etag)
        json.field("last_modified", file.lastModified?.isoText)
        if let checksum = file.checksum {
            json.key("checksum")
            json.openObject()
            json.field("type", checksum.algorithm.rawValue)
            json.field("value", checksum.hex)
            json.field("verified", file.checksumVerified)
            json.closeObject()
        }
        json.field("http_status", file.httpStatus)
        json.field("attempts", file.attempts)
        json.key("seconds")
        json.seconds(file.seconds)
        add(file.failure, to: &json)
        json.closeObject()
    }

    private func add(_ ranges: [ByteRange]?, to json: inout JSONText) {
        guard let ranges else { return }
        json.key("ranges")
        json.openArray()
        for range in ranges {
            json.openArray()
            json.value(range.first)
            json.value(range.last)
            json.closeArray()
        }
        json.closeArray()
    }

    private func add(_ failure: Failure?, to json: inout JSONText) {
        guard let failure else { return }
        json.key("error")
        json.openObject()
        json.field("code", failure.code.rawValue)
        json.field("message", failure.message)
        json.closeObject()
    }
}

extension JSONText {
    fileprivate mutating func field(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        value(text)
    }

    fileprivate mutating func field(_ name: String, _ number: (some FixedWidthInteger)?) {
        guard let number else { return }
        key(name)
        value(number)
    }

    fileprivate mutating func field(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }
}
