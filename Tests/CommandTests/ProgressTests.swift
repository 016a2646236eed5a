// The line that shows how far a run is.

import Testing

@testable import MirrorKit
@testable import mirror

@Suite struct ProgressTests {
    private func moment(done: Int, failed: Int = 0, fetched: Int64, expected: Int64) -> Progress {
        var progress = Progress()
        progress.stage = .transferring
        progress.files = 120
        progress.filesDone = done
        progress.filesFailed = failed
        progress.bytesFetched = fetched
        progress.bytesToFetch = expected
        return progress
    }

    @Test func `counts, bytes, rate, time left and failures`() {
        var text = ProgressText()
        _ = text.line(moment(done: 30, fetched: 0, expected: 300 << 20), at: 10)
        let line = text.line(moment(done: 34, failed: 2, fetched: 100 << 20, expected: 300 << 20), at: 20)
        #expect(line == "[20 s] 34 of 120 files, 100.0 MiB of 300.0 MiB, 10.0 MiB/s, 20 s left, 2 failed")
    }

    @Test func `no rate and no time left before anything has arrived`() {
        var text = ProgressText()
        let line = text.line(moment(done: 0, fetched: 0, expected: 1024), at: 3)
        #expect(line == "[3 s] 0 of 120 files, 0 B of 1.0 KiB")
    }

    @Test func `the rate is that of the last ten seconds`() {
        var text = ProgressText()
        var fetched: Int64 = 0
        var line = ""
        for second in 1...60 {
            fetched += second <= 30 ? 1 << 20 : 2 << 20
            line = text.line(moment(done: 0, fetched: fetched, expected: fetched), at: Double(second))
        }
        #expect(line.hasSuffix(", 2.0 MiB/s"))
        for second in 61...72 {
            line = text.line(moment(done: 0, fetched: fetched, expected: fetched), at: Double(second))
        }
        #expect(!line.contains("/s"))
    }

    @Test func `more bytes than expected is no negative time`() {
        var text = ProgressText()
        _ = text.line(moment(done: 0, fetched: 0, expected: 0), at: 1)
        let line = text.line(moment(done: 0, fetched: .max, expected: 0), at: 2)
        #expect(line.contains("/s") && !line.contains("left"))
    }

    @Test func `before the transfers it says what is done instead`() {
        var text = ProgressText()
        var progress = Progress()
        #expect(text.line(progress, at: 0) == "[0 s] reading the source")
        progress.stage = .probing
        progress.files = 1234
        #expect(text.line(progress, at: 75) == "[1 min 15 s] comparing 1,234 files")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let mode: Settings.ProgressMode?
        let wording: Settings.Wording
        let isTerminal: Bool
        let shown: String
        var testDescription: String { "\(mode.map(\.rawValue) ?? "default"), \(wording), \(isTerminal)" }
    }

    static let places: [Row] = [
        Row(mode: nil, wording: .normal, isTerminal: true, shown: "\rline"),
        Row(mode: nil, wording: .verbose, isTerminal: true, shown: "\rline"),
        Row(mode: nil, wording: .quiet, isTerminal: true, shown: ""),
        Row(mode: nil, wording: .normal, isTerminal: false, shown: ""),
        Row(mode: .plain, wording: .normal, isTerminal: false, shown: "line\n"),
        Row(mode: .plain, wording: .quiet, isTerminal: true, shown: "line\n"),
        Row(mode: Settings.ProgressMode.none, wording: .normal, isTerminal: true, shown: ""),
    ]

    @Test(arguments: places) func `where progress is shown`(row: Row) {
        var settings = Settings()
        settings.progress = row.mode
        settings.wording = row.wording
        var display = ProgressDisplay(settings, isTerminal: row.isTerminal)
        #expect(display.isShown == !row.shown.isEmpty)
        #expect(display.show("line", columns: 80, isForeground: true) == row.shown)
    }

    @Test func `on a terminal the line is cut, rewritten and cleared`() {
        var display = ProgressDisplay(Settings(), isTerminal: true)
        #expect(display.clear().isEmpty)
        #expect(display.show("abcdefgh", columns: 6, isForeground: true) == "\rabcde")
        #expect(display.show("abc", columns: 6, isForeground: true) == "\rabc  \u{8}\u{8}")
        #expect(display.show("abcd", columns: 6, isForeground: false).isEmpty)
        #expect(display.clear() == "\r   \r")
        #expect(display.clear().isEmpty)
        #expect(display.show("abcd", columns: 0, isForeground: true) == "\ra")
    }
}
