// Numbers, sizes and times as people write them.

import MirrorKit
import Testing

@testable import mirror

@Suite struct OptionReaderTests {
    static let sizeRows: [(String, Int64?)] = [
        ("0", 0), ("500", 500), ("64k", 65_536), ("64K", 65_536), ("4M", 4 << 20), ("4m", 4 << 20), ("4MiB", 4 << 20),
        ("4mib", 4 << 20), ("1kib", 1024), ("2G", 2 << 30), ("3T", 3 << 40), ("9223372036854775807", Int64.max),
        ("9223372036854775808", nil), ("8388608T", nil), ("8388607T", 8_388_607 << 40), ("", nil), ("k", nil),
        ("ib", nil), ("4ib", nil), ("-1", nil), ("+1", nil), (" 1", nil), ("1.5M", nil), ("1MB", nil), ("1kk", nil),
        ("٣", nil),
    ]

    @Test(arguments: sizeRows) func sizes(text: String, size: Int64?) {
        #expect((try? OptionReader.size(atLeast: 0).read(text)) == size)
    }

    static let timeRows: [(String, Duration?)] = [
        ("20", .seconds(20)), ("20s", .seconds(20)), ("500ms", .milliseconds(500)), ("10m", .seconds(600)),
        ("2h", .seconds(7200)), ("1d", .seconds(86_400)), ("0.5", .milliseconds(500)), ("1.5m", .seconds(90)),
        ("0.001", .milliseconds(1)), ("1.25s", .milliseconds(1250)), ("2H", .seconds(7200)), ("0", nil), ("0s", nil),
        ("0.0", nil), ("", nil), ("s", nil), (".5", nil), ("5.", nil), ("1.2.3", nil), ("0.0001", nil), ("-1", nil),
        ("1 s", nil), ("1w", nil), ("1sec", nil), ("3650d", .seconds(3650 * 86_400)), ("3651d", nil),
        ("9223372036854775807d", nil), ("99999999999999999999", nil),
    ]

    @Test(arguments: timeRows) func times(text: String, time: Duration?) {
        #expect((try? OptionReader.time().read(text)) == time)
    }

    @Test func `zero is a time only where it means something`() {
        #expect((try? OptionReader.time(mayBeZero: true).read("0")) == .zero)
        #expect(throws: ValueProblem.notTime(mayBeZero: false)) { try OptionReader.time().read("0") }
    }

    static let countRows: [(String, Int?)] = [
        ("1", 1), ("64", 64), ("007", 7), ("0", nil), ("65", nil), ("", nil), ("+1", nil), ("-1", nil), ("1 ", nil),
        ("1k", nil), ("9223372036854775808", nil),
    ]

    @Test(arguments: countRows) func counts(text: String, count: Int?) {
        #expect((try? OptionReader.count(1...64).read(text)) == count)
    }

    @Test(arguments: [("jbos", "jobs" as String?), ("wa", "wait"), ("weit", "wait"), ("x", nil), ("delete", nil)])
    func suggestions(word: String, name: String?) {
        #expect(Spelling.nearest(to: word, among: ["jobs", "wait", "limit-rate"]) == name)
    }
}
