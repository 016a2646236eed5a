// Totals of a report: no sum overflows.

import MirrorCore
import Testing

/// An entry that ended so.
func report(_ status: FileStatus, action: Action = .fetch) -> FileReport {
    FileReport(path: "a", url: "http://example.org/a", action: action, reason: "missing", status: status)
}

@Suite struct ReportTests {
    @Test func totals() {
        var done = report(.done, action: .resume), failed = report(.failed)
        done.remoteSize = 1000
        done.ranges = [range(500, 999)]
        done.bytesFetched = 516
        done.bytesReused = 500
        done.requests = 3
        done.retries = 1
        failed.requests = 2
        let totals = Totals(of: [done, failed, report(.unchanged, action: .skip)], seconds: 1.5)
        #expect(totals.files == 3)
        #expect(totals.failed == 1)
        #expect(totals.bytesTotal == 1000)
        #expect(totals.bytesToFetch == 500)
        #expect(totals.bytesFetched == 516)
        #expect(totals.bytesReused == 500)
        #expect(totals.requests == 5)
        #expect(totals.retries == 1)
        #expect(totals.seconds == 1.5)
        #expect(totals.actions == [.fetch: 1, .resume: 1, .skip: 1])
    }

    /// A report may be read from a file that anybody wrote.
    @Test func sumsThatDoNotFitStayAtTheLargestValue() {
        var huge = report(.done)
        huge.remoteSize = Int64.max
        huge.ranges = [range(0, Int64.max - 1), range(0, Int64.max - 1)]
        huge.bytesFetched = Int64.max
        huge.bytesReused = Int64.max
        huge.requests = Int.max
        huge.retries = Int.max
        #expect(huge.bytesToFetch == Int64.max)
        let totals = Totals(of: [huge, huge], seconds: 0)
        #expect(totals.bytesTotal == Int64.max)
        #expect(totals.bytesToFetch == Int64.max)
        #expect(totals.bytesFetched == Int64.max)
        #expect(totals.bytesReused == Int64.max)
        #expect(totals.requests == Int.max)
        #expect(totals.retries == Int.max)
    }

    @Test func theContractsNames() {
        #expect(Action.allCases.map(\.rawValue) == ["fetch", "resume", "skip", "delete", "replace", "remove"])
        #expect(
            FileStatus.allCases.map(\.rawValue)
                == ["planned", "unchanged", "done", "failed", "interrupted", "removed"])
    }
}
