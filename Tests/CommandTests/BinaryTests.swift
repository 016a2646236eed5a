// The built binary: what it says of itself, and how it ends when it is not understood.

import MirrorKit
import Testing

import enum MirrorTestSupport.Allowance

@testable import mirror

@Suite(.timeLimit(.minutes(2 * Allowance.factor))) struct BinaryTests {
    @Test(arguments: [["--help"], ["-h"], ["help"]]) func `help of the command`(line: [String]) async throws {
        let result = await (try RunningCommand(line)).result()
        #expect(result.ending == .exit(0))
        #expect(result.output == HelpText.command)
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: [["sync", "--help"], ["sync", "-h"], ["help", "sync"]])
    func `help of sync`(line: [String]) async throws {
        let result = await (try RunningCommand(line)).result()
        #expect(result.ending == .exit(0))
        #expect(result.output == HelpText.sync)
        #expect(result.errors.isEmpty)
    }

    @Test func `the versions of mirror and its libraries`() async throws {
        let result = try await CommandResult.of("--version")
        #expect(result.ending == .exit(0))
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "mirror \(MirrorVersion.current)")
        for (line, name) in zip(lines.dropFirst(), ["libcurl/", "libxml2/", "SQLite/"]) {
            #expect(line.hasPrefix(name))
        }
        #expect(lines.count == 4)
    }

    @Test func `mirror alone shows how it is used`() async throws {
        let result = try await CommandResult.of()
        #expect(result.ending == .exit(2))
        #expect(result.output.isEmpty)
        #expect(result.errors == "mirror: no command is given\n" + HelpText.usage)
    }

    @Test(arguments: [["list"], ["sync"], ["sync", "--foo", "m"], ["sync", "--report", "x.csv", "m"]])
    func `bad usage is told on standard error and ends with 2`(line: [String]) async throws {
        let result = await (try RunningCommand(line)).result()
        #expect(result.ending == .exit(2))
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("mirror: ") && result.errors.hasSuffix("\nTry «mirror sync --help».\n"))
    }

    @Test func `a manifest that does not exist is a bad source`() async throws {
        let result = try await CommandResult.of("sync", "/nonexistent/manifest.txt")
        #expect(result.ending == .exit(2))
        #expect(result.errors.hasPrefix("mirror: /nonexistent/manifest.txt: "))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func `all faults of a manifest are listed, but not more than a person reads`() async throws {
        let lines = String(repeating: "no url\n", count: 103)
        let result = try await CommandResult.of("sync", "-n", "-", input: lines)
        #expect(result.ending == .exit(2))
        let errors = result.errors.split(separator: "\n")
        #expect(errors.count == 101)
        #expect(errors.first?.hasPrefix("mirror: standard input:1:1: ") == true)
        #expect(errors.last == "mirror: … and 3 more")
    }

    @Test func `an argument that is not UTF-8 is refused, not repaired`() async throws {
        let result = try await CommandResult.of(shell: #""$@" sync m -d "$(printf 'a\377')""#)
        #expect(result.ending == .exit(2))
        #expect(result.errors.hasPrefix("mirror: argument 4 is not UTF-8\n"))
    }

    @Test(arguments: [
        (#""$@" >&-"#, 1), (#""$@" >/dev/full"#, 1), (#"("$@"; echo $? >&2) | true"#, 0), (#""$@" <&- 2>&-"#, 0),
    ])
    func `standard streams that are closed or full`(line: String, status: Int32) async throws {
        let result = try await CommandResult.of(shell: line, "--version")
        #expect(result.ending == .exit(status))
        if line.contains("|") { #expect(result.errors == "0\n") }
    }
}
