// Command lines that cannot be understood, and what the user is told.

import Testing

@testable import mirror

@Suite struct UsageErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: [String]
        let message: String
        var testDescription: String { line.joined(separator: " ") }

        init(_ line: String..., message: String) {
            self.line = line
            self.message = message
        }
    }

    static let rows: [Row] = [
        Row(message: "no command is given"),
        Row("verify", message: "unknown command «verify»; there are «sync» and «list»"),
        Row("help", "verify", message: "unknown command «verify»; there are «sync» and «list»"),
        Row("list", message: "no source is given"),
        Row("help", "sync", "more", message: "too many arguments"),
        Row("https://u:p@h/", message: "the first word must be a command; did you mean «mirror sync SOURCE»?"),
        Row("--hlep", message: "unknown option «--hlep»; did you mean «--help»?"),
        Row("-x", message: "unknown option «-x»"),
        Row("sync", message: "no source is given"),
        Row("sync", "-n", message: "no source is given"),
        Row("sync", "", message: "a source is empty"),
        Row("sync", "-", "-", message: "standard input can be read only once"),
        Row("sync", "--foo", "m", message: "unknown option «--foo»"),
        Row("sync", "--jbos", "3", message: "unknown option «--jbos»; did you mean «--jobs»?"),
        Row("sync", "--limit", "3", message: "unknown option «--limit»; did you mean «--limit-rate»?"),
        Row("sync", "--dryrun", message: "unknown option «--dryrun»; did you mean «--dry-run»?"),
        Row("sync", "--depth", "0", message: "--depth: «0» is not a whole number from 1 to 1000"),
        Row("sync", "--exclude", "", "m", message: "--exclude: «»: an empty pattern matches nothing"),
        Row("sync", "--include", "[a", "m", message: "--include: «[a»: a «[» of the pattern is not closed"),
        Row("sync", "--shard", "4/4", "m", message: "--shard: «4/4» is not a part such as 0/4 (the first of four)"),
        Row(
            "sync", "--max-delete", "101%", "m",
            message: "--max-delete: «101%» is not a number of files, nor a share from 0% to 100%"),
        Row(
            "sync", "--newer-than", "yesterday", "m",
            message: "--newer-than: «yesterday» is not a day such as 2026-01-31, nor a time span such as 7d"),
        Row("sync", "--usr=me:secret", message: "unknown option «--usr»; did you mean «--user»?"),
        Row("sync", "--header:X-Key:secret", message: "unknown option «--header…»; did you mean «--header»?"),
        Row("sync", "-Z", message: "unknown option «-Z»"),
        Row("sync", "-nZ", message: "unknown option «-Z»"),
        Row("sync", "--jobs", message: "--jobs needs a value"),
        Row("sync", "-nj", message: "-j needs a value"),
        Row("sync", "--quiet=yes", message: "--quiet takes no value"),
        Row("sync", "--help=me", message: "--help takes no value"),
        Row("sync", "-d", "", message: "--directory: the value is empty"),
        Row("sync", "-j0", message: "--jobs: «0» is not a whole number from 1 to 1024"),
        Row("sync", "-s65", message: "--split: «65» is not a whole number from 1 to 64"),
        Row(
            "sync", "--retries", "99999999999999999999",
            message: "--retries: «99999999999999999999» is not a whole number from 0 to 1000000"),
        Row(
            "sync", "-x", "99999999999",
            message: "--connections-per-host: «99999999999» is not a whole number from 1 to 1024"),
        Row("sync", "-j", "-1", message: "--jobs: «-1» is not a whole number from 1 to 1024"),
        Row(
            "sync", "--limit-rate", "9E",
            message: "--limit-rate: «9E» is not a size such as 500, 64k, 4M or 2G, 1 or more"),
        Row(
            "sync", "--min-free", "16777216T",
            message: "--min-free: «16777216T» is not a size such as 500, 64k, 4M or 2G"),
        Row(
            "sync", "--stall-timeout", "99999999999999999999d",
            message:
                "--stall-timeout: «99999999999999999999d» is not a time such as 500ms, 20s, 10m, 2h or 1d above zero"),
        Row("sync", "-k", "0", message: "--min-split-size: «0» is not a size such as 500, 64k, 4M or 2G, 1 or more"),
        Row("sync", "--min-free", "x", message: "--min-free: «x» is not a size such as 500, 64k, 4M or 2G"),
        Row(
            "sync", "--max-time", "0",
            message: "--max-time: «0» is not a time such as 500ms, 20s, 10m, 2h or 1d above zero"),
        Row("sync", "--wait", "1y", message: "--wait: «1y» is not a time such as 500ms, 20s, 10m, 2h or 1d"),
        Row("sync", "--layout", "flat", message: "--layout: «flat» is not one of: name, path, host"),
        Row(
            "sync", "--from", "pdf",
            message: "--from: «pdf» is not one of: manifest, html, xml, json, metalink, sums, report, dav"),
        Row("sync", "--progress", "json", message: "--progress: «json» is not one of: plain, none"),
        Row("sync", "--report", "r.html", message: "--report: «r.html» ends in none of: .json, .txt"),
        Row("sync", "--report", "json", message: "--report: «json» ends in none of: .json, .txt"),
        Row("sync", "--layout", "a\u{1B}[2J", message: "--layout: «a\\x1b[2J» is not one of: name, path, host"),
        Row("sync", "-H", "secret", message: "--header: the value is not a header field such as «Name: value»"),
        Row("sync", "-H", "Range: bytes=0-secret", message: "--header: the header field Range is set by mirror itself"),
        Row(
            "sync", "-H", "if-none-match: x",
            message: "--header: the header field if-none-match is set by mirror itself"),
        Row(
            "sync", "--aws-sigv4", "aws:amz", "m",
            message: "--aws-sigv4 needs --user ACCESS_KEY:SECRET_KEY, or --netrc"),
        Row("sync", "-u", "", message: "--user: the value is empty"),
    ]

    @Test(arguments: rows) func `bad usage is told in one sentence`(row: Row) {
        #expect(throws: UsageError.self) { try Invocation.parse(row.line) }
        do throws(UsageError) {
            _ = try Invocation.parse(row.line)
        } catch {
            #expect(error.message == row.message)
        }
    }

    @Test func `the value of a secret option is never part of an error`() {
        let secrets = ["header", "user", "proxy", "proxy-user", "aws-sigv4"]
        #expect(Set(OptionTable.sync.filter(\.isSecret).map(\.name)) == Set(secrets))
        for option in OptionTable.sync where option.isSecret {
            var settings = Settings()
            do throws(UsageError) {
                try option.apply("se\u{1}cret", to: &settings)
            } catch {
                #expect(!error.message.contains("cret"))
            }
        }
    }
}
