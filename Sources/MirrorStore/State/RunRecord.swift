// One run in the state: enough to say later how it went.

import MirrorCore

/// A run that has ended.
package struct RunRecord: Sendable, Equatable {
    package var id: String
    package var started: HTTPDate
    package var finished: HTTPDate
    package var exitCode: Int32
    package var files: Int
    package var failed: Int
    /// Bytes.
    package var bytesFetched: Int64
    /// Bytes.
    package var bytesReused: Int64
    package var requests: Int
    package var retries: Int

    package init(
        id: String, started: HTTPDate, finished: HTTPDate, exitCode: Int32, files: Int = 0, failed: Int = 0,
        bytesFetched: Int64 = 0, bytesReused: Int64 = 0, requests: Int = 0, retries: Int = 0
    ) {
        self.id = id
        self.started = started
        self.finished = finished
        self.exitCode = exitCode
        self.files = files
        self.failed = failed
        self.bytesFetched = bytesFetched
        self.bytesReused = bytesReused
        self.requests = requests
        self.retries = retries
    }

    package init(_ run: RunReport, totals: Totals) {
        self.init(
            id: run.id, started: run.started, finished: run.finished, exitCode: run.exitCode.rawValue,
            files: totals.files, failed: totals.failed, bytesFetched: totals.bytesFetched,
            bytesReused: totals.bytesReused, requests: totals.requests, retries: totals.retries)
    }
}
