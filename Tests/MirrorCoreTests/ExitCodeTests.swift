// Exit codes: the worst result decides.

import MirrorCore
import Testing

private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let statuses: [FileStatus], isInterrupted: Bool, failure: Failure?, expected: Int32

    init(
        _ name: String, _ statuses: [FileStatus], interrupted: Bool = false, failure: Failure? = nil, _ expected: Int32
    ) {
        testDescription = name
        self.statuses = statuses
        isInterrupted = interrupted
        self.failure = failure
        self.expected = expected
    }
}

@Suite struct ExitCodeTests {
    @Test(arguments: [
        Row("nothing to do", [], 0),
        Row("all in line", [.unchanged, .done, .removed], 0),
        Row("a dry run", [.planned, .unchanged], 0),
        Row("one failed, first (C172)", [.failed, .done], 1),
        Row("one failed, last", [.done, .failed], 1),
        Row("a dry run in which one failed", [.planned, .failed], 1),
        Row("interrupted", [.done], interrupted: true, 3),
        Row("one interrupted", [.done, .interrupted], 3),
        Row("interrupted and failed", [.failed], interrupted: true, 3),
        Row("disk full", [.done, .failed], failure: .diskFull(needed: 1, available: 0), 5),
        Row(
            "disk full and interrupted", [.interrupted], interrupted: true,
            failure: .diskFull(needed: 1, available: 0), 5),
        Row("not writable", [], failure: Failure(.permission, "DIR is not writable"), 5),
        Row("read-only or broken", [], failure: Failure(.io, "DIR cannot be read"), 5),
        Row("a source with errors", [], failure: Failure(.invalidSource, "a line is wrong"), 2),
        Row("a source that cannot be had", [], failure: .status(404), 2),
        Row("a part of the source that cannot be had", [.done], failure: .status(404), 1),
        Row("interrupted while a source was read", [], interrupted: true, failure: Failure(.timeout, "no answer"), 3),
    ])
    fileprivate func code(_ row: Row) {
        let code = ExitCode.of(row.statuses.map { report($0) }, isInterrupted: row.isInterrupted, failure: row.failure)
        #expect(code.rawValue == row.expected)
    }
}
