import MirrorCore
import Testing

/// Patterns as rsync has them.
struct GlobPatternTests {
    @Test(arguments: [
        ("*.iso", "a.iso", true), ("*.iso", "x/y/a.iso", true), ("*.iso", "a.iso.sig", false),
        ("*.iso", "a.iso/b", true), ("/*.iso", "x/a.iso", false), ("/*.iso", "a.iso", true),
        ("docs", "docs", true), ("docs", "docs/a", true), ("docs", "x/docs/a", true), ("docs", "mydocs", false),
        ("docs/", "docs", false), ("docs/", "docs/a", true), ("docs/", "x/docs/a/b", true),
        ("/docs/", "x/docs/a", false),
        ("x/y", "x/y", true), ("x/y", "a/x/y", true), ("x/y", "ax/y", false), ("x/y", "x/y/z", true),
        ("/x/y", "a/x/y", false),
        ("a*b", "a/b", false), ("a**b", "a/b", true), ("a**b", "a/x/y/b", true), ("**/b", "x/b", true),
        ("**/b", "b", false),
        ("x/**", "x/a", true), ("x/**", "x/a/b", true), ("x/**", "x", false), ("x/**", "y/x/a", true),
        ("?.txt", "a.txt", true), ("?.txt", "ab.txt", false), ("a?b", "a/b", false),
        ("[ab].txt", "a.txt", true), ("[ab].txt", "c.txt", false), ("[!ab].txt", "c.txt", true),
        ("[!ab].txt", "a.txt", false),
        ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("[]]x", "]x", true), ("[a-]x", "-x", true),
        ("[!a]b", "/b", false),
        ("a\\*b", "a*b", true), ("a\\*b", "axb", false), ("*", "x/y", true), ("é*", "éa", true),
        ("e\u{301}", "é", false),
        (".*", ".hidden", true), ("*", ".hidden", true),
    ])
    func `a path matches or does not`(_ pattern: String, _ path: String, _ matches: Bool) throws {
        #expect(try GlobPattern(pattern).matches(path) == matches)
    }

    @Test(arguments: ["", "/", "//", "[ab", "[", "[z-a]"])
    func `a text is no pattern`(_ text: String) {
        #expect(throws: GlobPattern.Problem.self) { try GlobPattern(text) }
    }

    @Test func `many stars cost no more than the product of the lengths`() throws {
        let pattern = try GlobPattern(String(repeating: "*a", count: 200) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 4_000)))
    }
}

/// Which entries are wanted.
struct SelectionTests {
    private func selection(_ rules: [String]) throws -> Selection {
        var selection = Selection()
        selection.rules = try rules.map { rule in
            let pattern = try GlobPattern(String(rule.dropFirst()))
            return rule.hasPrefix("+") ? .include(pattern) : .exclude(pattern)
        }
        return selection
    }

    @Test(arguments: [
        ([], "a", true),
        (["-*.deb"], "a.deb", false), (["-*.deb"], "a.rpm", true),
        (["+*.iso", "-*"], "x/a.iso", true), (["+*.iso", "-*"], "x/a.txt", false),
        (["-*", "+*.iso"], "a.iso", false),
        (["+docs/keep", "-docs"], "docs/keep", true), (["+docs/keep", "-docs"], "docs/other", false),
    ])
    func `the first rule that matches decides`(_ rules: [String], _ path: String, _ isWanted: Bool) throws {
        #expect(try selection(rules).wants(path: path) == isWanted)
    }

    @Test(arguments: [
        (["-docs"], "docs", false), (["-docs"], "x/docs", false), (["-docs"], "src", true),
        (["+*.iso", "-*"], "x", true), (["-x/**"], "x", false), (["-x/**"], "xy", true), (["-*"], "x", false),
    ])
    func `a folder that cannot hold anything wanted is not read`(_ rules: [String], _ folder: String, _ may: Bool)
        throws
    {
        let selection = try selection(rules)
        #expect(selection.mayWant(below: folder) == may)
        if !may { #expect(!selection.wants(path: folder + "/any.iso")) }
    }

    @Test func `every path is in exactly one part, and the parts are alike`() {
        var counts = Array(repeating: 0, count: 4)
        for number in 0..<4_000 {
            let takers = (0..<4).filter { part in
                var selection = Selection()
                selection.shard = Selection.Shard(part, of: 4)
                return selection.takes(path: "pool/main/file-\(number).deb")
            }
            #expect(takers.count == 1)
            for part in takers { counts[part] += 1 }
        }
        #expect(counts.allSatisfy { (800...1_200).contains($0) }, "\(counts)")
        #expect(Selection.Shard(4, of: 4) == nil)
        #expect(Selection.Shard(0, of: 0) == nil)
        #expect(Selection.Shard(-1, of: 2) == nil)
    }

    @Test(
        arguments: [
            (10, nil, true), (9, nil, false), (20, nil, true), (21, nil, false), (nil, nil, true), (nil, 1_000, false),
            (15, 1_001, true),
        ] as [(Int64?, Int64?, Bool)])
    func `size and time decide where they are known`(_ size: Int64?, _ modified: Int64?, _ isWanted: Bool) {
        var selection = Selection()
        selection.minimumSize = 10
        selection.maximumSize = 20
        selection.newerThan = 1_000
        #expect(selection.wants(size: size, modified: modified) == isWanted)
    }
}
