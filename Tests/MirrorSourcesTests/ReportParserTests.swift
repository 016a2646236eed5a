import MirrorCore
import MirrorSources
import Testing

/// A saved report as a source.
struct ReportParserTests {
    private func report(_ files: String, only: OnlyFilter? = nil) -> ParsedSource {
        let text = "{ \"schema\": \"mirror-report/1\", \"run\": { \"id\": \"x\" }, \"files\": [\(files)] }"
        return SourceReader.read(Array(text.utf8), layout: .name, source: 1, only: only)
    }

    static let sha = String(repeating: "9f", count: 32)
    static let files = """
        { "path": "in/a.iso", "url": "https://h/a", "action": "resume", "status": "done", "remote_size": 1000,
          "etag": "\\"x\\"", "last_modified": "2026-01-30T00:00:00Z", "ranges": [[500, 999]],
          "checksum": { "type": "sha-256", "value": "\(sha)", "verified": true } },
        { "path": "b", "url": "https://h/b", "action": "fetch", "status": "failed",
          "error": { "code": "http", "message": "m" } },
        { "path": "c", "url": "https://h/c", "action": "fetch", "status": "interrupted" },
        { "path": "d", "url": "https://h/d", "action": "remove", "status": "removed" },
        { "url": "https://h/x/e%20f", "action": "fetch", "status": "planned" }
        """

    @Test func `the files of a report are entries, those that were removed are not`() throws {
        let parsed = report(Self.files)
        #expect(parsed.problems.isEmpty)
        #expect(parsed.urls == ["https://h/a", "https://h/b", "https://h/c", "https://h/x/e%20f"])
        #expect(parsed.paths == ["in/a.iso", "b", "c", "e f"])
        #expect(parsed.entries.allSatisfy { $0.place.source == 1 })
        let options = try #require(parsed.entries.first?.options)
        #expect(options.checksum?.hex == Self.sha)
        // What was true then is no promise.
        #expect(options.size == nil && options.validators == Validators())
        #expect(options.namesPath)
    }

    @Test func `only what failed`() {
        #expect(report(Self.files, only: .failed).urls == ["https://h/b", "https://h/c"])
        let none = report("{ \"path\": \"a\", \"url\": \"https://h/a\", \"status\": \"done\" }", only: .failed)
        #expect(none.problems.isEmpty && none.entries.isEmpty)
    }

    @Test(arguments: [
        (
            "{ \"path\": \"a\", \"url\": \"https://***@h/a\" }",
            "files[0]: the URL has lost its secret in the report; use the manifest instead"
        ),
        (
            "{ \"path\": \"a\", \"url\": \"https://h/a?sig=***\" }",
            "files[0]: the URL has lost its secret in the report; use the manifest instead"
        ),
        (
            "{ \"path\": \"../a\", \"url\": \"https://h/a\" }",
            "files[0]: unsafe-path: the path has a part that is «.» or «..»"
        ),
        ("{ \"path\": \"/a\", \"url\": \"https://h/a\" }", "files[0]: unsafe-path: the path is absolute"),
        ("{ \"path\": \"a\" }", "files[0]: the file has no URL"),
        ("{ \"path\": \"a\", \"url\": \"h/a\" }", "files[0]: the URL has no scheme: write https://…"),
        (
            "{ \"path\": \"a\", \"url\": \"https://h/a\", \"checksum\": { \"type\": \"md5\", \"value\": \"9\" } }",
            "files[0]: a md5 checksum has 32 hexadecimal digits, not 1"
        ),
        ("{ \"path\": \"a\", \"url\": 7 }", "the report is malformed at files[0].url"),
        ("7", "the report is malformed at files[0]"),
        ("", "the report names no files"),
        ("{", "the report is malformed"),
    ])
    func `a fault of a report is told`(_ files: String, _ problem: String) {
        let parsed = report(files)
        #expect(parsed.problems.map(\.message) == [problem])
        #expect(parsed.entries.isEmpty)
    }

    @Test(arguments: [
        ("{ \"schema\": \"mirror-report/2\", \"files\": 3 }", "the report has another schema than «mirror-report/1»"),
        ("{ \"files\": [] }", "the report names no schema; «mirror-report/1» is read"),
        ("{ \"schema\": \"mirror-report/1\" }", "the report is malformed"),
        ("{ \"schema\": 1, \"x\": \"mirror-report\" }", "the report is malformed at schema"),
        ("[]", "the report is malformed"),
        ("", "the report is malformed"),
    ])
    func `another schema is refused`(_ text: String, _ problem: String) {
        let parsed = ReportParser(layout: .name).parse(Array(text.utf8))
        #expect(parsed.problems.map(\.message) == [problem])
    }

    @Test func `all faults are told at once`() {
        let parsed = report("{ \"path\": \"a\" }, { \"url\": \"https://h/a\" }, { \"url\": \"x\" }")
        #expect(parsed.problems.count == 2)
    }
}
