// Command lines and what they come to.

import MirrorKit
import Testing

@testable import mirror

@Suite struct ArgumentTests {
    /// A command line and a question about its settings.
    struct Row: Sendable, CustomTestStringConvertible {
        let line: [String]
        let isRight: @Sendable (Settings) -> Bool
        var testDescription: String { line.joined(separator: " ") }

        init(_ line: String..., isRight: @escaping @Sendable (Settings) -> Bool) {
            self.line = line
            self.isRight = isRight
        }
    }

    static func settings(_ line: [String]) throws -> Settings {
        guard case .sync(let settings) = try Invocation.parse(["sync"] + line) else {
            Issue.record("not understood as a sync: \(line)")
            return Settings()
        }
        return settings
    }

    static let forms: [Row] = [
        Row("m") { $0.sync.sources == ["m"] && $0.sync.directory == "." && !$0.sync.isDryRun },
        Row("a", "b", "-") { $0.sync.sources == ["a", "b", "-"] },
        Row("--directory", "/d", "m") { $0.sync.directory == "/d" },
        Row("--directory=/d", "m") { $0.sync.directory == "/d" },
        Row("--directory=a=b", "m") { $0.sync.directory == "a=b" },
        Row("-d", "/d", "m") { $0.sync.directory == "/d" },
        Row("-d/d", "m") { $0.sync.directory == "/d" },
        Row("-d=/d", "m") { $0.sync.directory == "=/d" },
        Row("m", "-d", "-n") { $0.sync.directory == "-n" && !$0.sync.isDryRun },
        Row("-nv", "m") { $0.sync.isDryRun && $0.wording == .verbose },
        Row("-nd/d", "m") { $0.sync.isDryRun && $0.sync.directory == "/d" },
        Row("-nj", "3", "m") { $0.sync.isDryRun && $0.sync.jobs == 3 },
        Row("m", "-n") { $0.sync.isDryRun && $0.sync.sources == ["m"] },
        Row("--", "-n", "--", "--jobs") { $0.sync.sources == ["-n", "--", "--jobs"] && !$0.sync.isDryRun },
        Row("-j1", "-j", "2", "--jobs=3", "m") { $0.sync.jobs == 3 },
        Row("-qv", "m") { $0.wording == .verbose },
        Row("-vq", "m") { $0.wording == .quiet },
        Row("--report", "a.json", "--report=b.TXT", "m") { $0.sync.reportFiles == ["a.json", "b.TXT"] },
        Row("-H", "A: 1", "-HB:2", "m") { $0.sync.transport.fields.map(\.value) == ["1", "2"] },
    ]

    @Test(arguments: forms) func `forms of options`(row: Row) throws {
        #expect(row.isRight(try Self.settings(row.line)))
    }

    /// Each option sets what it names, and nothing else does.
    static let effects: [Row] = [
        Row("--from", "report", "m") { $0.sync.form == .report },
        Row("--only", "failed", "m") { $0.sync.only == .failed },
        Row("--layout", "host", "m") { $0.sync.layout == .host },
        Row("--content-disposition", "m") { $0.sync.prefersSuggestedNames },
        Row("--from", "dav", "m") { $0.sync.form == .dav },
        Row("--base", "http://h/", "m") { $0.sync.base == "http://h/" },
        Row("--depth", "1", "m") { $0.sync.depth == 1 },
        Row("--shard", "1/4", "m") { $0.sync.selection.shard == Selection.Shard(1, of: 4) },
        Row("--include", "*.iso", "--exclude", "*", "m") {
            $0.sync.selection.wants(path: "a.iso") && !$0.sync.selection.wants(path: "a")
        },
        Row("--exclude", "*", "--include", "*.iso", "m") { !$0.sync.selection.wants(path: "a.iso") },
        Row("--min-size", "1k", "--max-size", "2k", "m") {
            $0.sync.selection.minimumSize == 1024 && $0.sync.selection.maximumSize == 2048
        },
        Row("--newer-than", "2026-01-31", "m") { $0.sync.selection.newerThan == 1_769_817_600 },
        Row("--newer-than", "2026-01-31T00:00:01Z", "m") { $0.sync.selection.newerThan == 1_769_817_601 },
        Row("--newer-than", "7d", "m") { ($0.sync.selection.newerThan ?? 0) > 1_769_817_600 },
        Row("--last", "Release", "--last", "*.xml", "m") { $0.sync.lastPatterns.map(\.text) == ["Release", "*.xml"] },
        Row("--trust-index", "m") { $0.sync.trustsIndex },
        Row("m") { $0.sync.removal == nil },
        Row("--max-delete", "5", "--allow-empty", "m") { $0.sync.removal == nil },
        Row("--delete", "m") { $0.sync.removal == RemovalPolicy() },
        Row("--delete", "--max-delete", "5", "m") { $0.sync.removal?.limit == .files(5) },
        Row("--max-delete", "50%", "--delete", "m") { $0.sync.removal?.limit == .percent(50) },
        Row("--delete", "--allow-empty", "m") { $0.sync.removal?.allowsEmptySource == true },
        Row("--backup-dir", "old", "m") { $0.sync.backupDirectory == "old" },
        Row("--size-only", "m") { $0.sync.sizeOnly && !$0.sync.comparesChecksums },
        Row("--checksum", "m") { $0.sync.comparesChecksums && !$0.sync.sizeOnly },
        Row("--ignore-existing", "m") { $0.sync.ignoresExisting },
        Row("--no-overlap-check", "m") { !$0.sync.checksOverlap },
        Row("-x", "9", "m") { $0.sync.transport.connectionsPerHost == 9 },
        Row("-s", "64", "m") { $0.sync.split == 64 },
        Row("-k", "1M", "m") { $0.sync.minimumSplitSize == 1 << 20 },
        Row("--limit-rate", "200k", "m") { $0.sync.transport.rateLimit == 200 << 10 },
        Row("--connect-timeout", "5", "m") { $0.sync.transport.connectTimeout == .seconds(5) },
        Row("--stall-timeout", "1m", "m") { $0.sync.transport.stallTimeout == .seconds(60) },
        Row("--retries", "0", "m") { $0.sync.retries == 0 },
        Row("--retry-max-time", "0", "m") { $0.sync.retryMaxTime == .zero },
        Row("--max-time", "2h", "m") { $0.sync.maxTime == .seconds(7200) },
        Row("--wait", "1d", "m") { $0.sync.lockWait == .seconds(86_400) },
        Row("--min-free", "2G", "m") { $0.sync.minimumFree == 2 << 30 },
        Row("--progress", "plain", "m") { $0.progress == .plain },
        Row("--progress", "none", "m") { $0.progress == Settings.ProgressMode.none },
        Row("-u", "a:b:c", "m") { $0.sync.transport.user == "a:b:c" },
        Row("-u", "a", "m") { $0.sync.transport.user == "a:" },
        Row("--netrc", "m") { $0.sync.transport.usesNetrc },
        Row("--netrc-file", "f", "m") { $0.sync.transport.netrcFile == "f" },
        Row("--aws-sigv4", "aws:amz", "--user", "k:s", "m") { $0.sync.transport.awsSignature == "aws:amz" },
        Row("-A", "", "m") { $0.sync.transport.userAgent.isEmpty },
        Row("--proxy", "http://p", "m") { $0.sync.transport.proxy == "http://p" },
        Row("--proxy=", "m") { $0.sync.transport.proxy?.isEmpty == true },
        Row("-U", "a", "m") { $0.sync.transport.proxyUser == "a:" },
        Row("--noproxy", "*", "m") { $0.sync.transport.noProxy == "*" },
        Row("--cacert", "f", "m") { $0.sync.transport.caFile == "f" },
        Row("-E", "f", "m") { $0.sync.transport.certificate == "f" },
        Row("--key", "f", "m") { $0.sync.transport.key == "f" },
        Row("--insecure", "m") { $0.sync.transport.isInsecure },
        Row("--http1.1", "m") { $0.sync.transport.httpVersion == .http1 },
        Row("--http1.1", "--http2", "m") { $0.sync.transport.httpVersion == .http2 },
        Row("--resolve", "a:1:b", "--resolve", "c:2:d", "m") { $0.sync.transport.resolve == ["a:1:b", "c:2:d"] },
        Row("--interface", "lo", "m") { $0.sync.transport.interface == "lo" },
        Row("-4", "m") { $0.sync.transport.addressFamily == .ipv4 },
        Row("-6", "m") { $0.sync.transport.addressFamily == .ipv6 },
    ]

    @Test(arguments: effects) func `effects of options`(row: Row) throws {
        #expect(row.isRight(try Self.settings(row.line)))
    }

    @Test func `every option of the table has a row here`() {
        let written = Set((Self.forms + Self.effects).flatMap(\.line))
        for option in OptionTable.sync {
            let isWritten = written.contains { word in
                word.hasPrefix("--\(option.name)")
                    || option.letter.map { word.hasPrefix("-") && !word.hasPrefix("--") && word.contains($0) } == true
            }
            #expect(isWritten, "--\(option.name)")
        }
    }

    @Test func `no two options share a name or a letter`() {
        let names = OptionTable.sync.map(\.name)
        #expect(Set(names).count == names.count)
        let letters = OptionTable.sync.compactMap(\.letter)
        #expect(Set(letters).count == letters.count)
        #expect(!letters.contains("h") && !names.contains("help"))
    }

    @Test func `list takes what has to do with sources and refuses the rest`() throws {
        guard case .list(let settings) = try Invocation.parse(["list", "-x", "2", "--depth", "1", "http://h/"]) else {
            Issue.record("not a list")
            return
        }
        #expect(settings.sync.sources == ["http://h/"] && settings.sync.depth == 1)
        #expect(throws: UsageError.self) { try Invocation.parse(["list", "--delete", "http://h/"]) }
        #expect(throws: UsageError.self) { try Invocation.parse(["list", "-d", "x", "http://h/"]) }
    }

    @Test(arguments: [["--help"], ["-h"], ["-nh"], ["m", "--help"], ["-h", "--nonsense"]])
    func `help wins over what follows`(line: [String]) throws {
        guard case .syncHelp = try Invocation.parse(["sync"] + line) else {
            Issue.record("not the help")
            return
        }
    }
}
