import MirrorCore
import MirrorSources
import Testing

/// Paths that cannot all be had.
struct TargetCheckTests {
    private func check(_ text: String, layout: Layout = .name) -> TargetCheck {
        let parsed = manifest(text, layout: layout)
        #expect(parsed.problems.isEmpty)
        return TargetCheck(of: parsed.entries)
    }

    private func lines(_ check: TargetCheck) -> [String] {
        check.conflicts.map { "\($0.kind) \($0.path.text) \($0.first.line) \($0.second.line)" }
    }

    @Test func `C092 two URLs on one path name both lines`() {
        let text = "https://h/a/0.jpg\n# c\nhttps://h/b/0.jpg\nhttps://h/get?id=1\nhttps://h/get?id=2\nhttps://h/x\n"
        #expect(lines(check(text)) == ["twoURLs 0.jpg 1 3", "twoURLs get 4 5"])
        #expect(lines(check("https://h/a/0.jpg\nhttps://h/b/0.jpg\n", layout: .path)).isEmpty)
    }

    @Test func `C092 the same URL twice is kept once`() {
        let entries = manifest("https://h/a\nhttps://h/b\nhttps://h/a\nhttps://H/a#x\nhttps://h/a\n out=c\n").entries
        let check = TargetCheck(of: entries)
        #expect(lines(check).isEmpty)
        #expect(check.repeats == [2, 3])
        #expect(check.withoutRepeats(entries).map(\.place.line) == [1, 2, 5])
    }

    @Test func `C092 the same URL with other options is a conflict`() {
        #expect(lines(check("https://h/a\n size=1\nhttps://h/a\n size=2\n")) == ["twoPromises a 1 3"])
        #expect(lines(check("https://h/a\n size=1\nhttps://h/a\n")) == ["twoPromises a 1 3"])
        #expect(lines(check("https://h/a\thttps://m/a\nhttps://h/a\n")) == ["twoPromises a 1 2"])
        #expect(lines(check("https://h/a\n size=1\nhttps://h/a\n size=1\n")).isEmpty)
    }

    @Test(arguments: [
        ("https://h/blog\nhttps://h/blog/post\n", ["fileAndFolder blog 1 2"]),
        ("https://h/blog/post\nhttps://h/blog\n", ["fileAndFolder blog 1 2"]),
        ("https://h/a/b/c/d\nhttps://h/a/b\nhttps://h/a/bc\n", ["fileAndFolder a/b 1 2"]),
        ("https://h/a/b\nhttps://h/a/bb/c\nhttps://h/ab\n", []),
        (
            "https://h/a\nhttps://h/a/b\nhttps://h/a/b/c\n",
            ["fileAndFolder a 1 2", "fileAndFolder a 1 3", "fileAndFolder a/b 2 3"]
        ),
    ])
    func `C088 a path that is a file and a folder names both lines`(_ text: String, _ conflicts: [String]) {
        #expect(lines(check(text, layout: .path)) == conflicts)
    }

    @Test func `C090 two forms of one letter are two paths`() {
        #expect(lines(check("https://h/caf%C3%A9\nhttps://h/cafe%CC%81\n")).isEmpty)
    }

    @Test func `entries that the server names are left out`() {
        #expect(lines(check("https://h/?a\nhttps://h/?b\n")).isEmpty)
    }

    @Test func `no more conflicts are kept than can be read`() {
        let text = (0..<20_000).map { "https://h/\($0)/x\n" }.joined()
        #expect(check(text).conflicts.count == TargetCheck.limit)
    }
}
