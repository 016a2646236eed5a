import MirrorCore
import Testing

@Suite struct NameFoldingTests {
    private static let byCase = NameFolding(ignoresCase: true)
    private static let byForm = NameFolding(ignoresForm: true)
    private static let byBoth = NameFolding(ignoresCase: true, ignoresForm: true)

    /// C089, C090: which of two entries is the first one's file.
    @Test(
        "C089 C090 what a volume takes for one",
        arguments: [
            (["OneCase.txt", "onecase.txt"], .none, []), (["OneCase.txt", "onecase.txt"], byForm, []),
            (["OneCase.txt", "onecase.txt"], byCase, [1]), (["OneCase.txt", "onecase.txt"], byBoth, [1]),
            (["\u{E9}", "e\u{301}"], .none, []), (["\u{E9}", "e\u{301}"], byCase, []),
            (["\u{E9}", "e\u{301}"], byForm, [1]), (["\u{C9}", "e\u{301}"], byBoth, [1]),
            (["\u{C9}", "e\u{301}"], byForm, []), (["Dir/a", "dir/A"], byCase, [1]),
            (["Dir/a", "dir/b"], byCase, []), (["a", "b", "A", "B", "a "], byCase, [2, 3]),
            (["stra\u{DF}e", "STRASSE"], byCase, [1]), (["\u{3C3}", "\u{3C2}"], byCase, [1]), (["a"], byBoth, []),
            ([], byBoth, []),
        ] as [([String], NameFolding, [Int])])
    func clashes(_ row: (names: [String], folding: NameFolding, later: [Int])) throws {
        let clashes = row.folding.clashes(try row.names.map { try LocalPath($0) })
        #expect(clashes.map(\.index) == row.later)
        #expect(clashes.allSatisfy { $0.first < $0.index })
    }

    @Test func entriesWithoutAPathClashWithNothing() throws {
        let paths = [nil, try LocalPath("a"), nil, try LocalPath("A")]
        let clashes = Self.byCase.clashes(paths)
        #expect(clashes.map(\.index) == [3] && clashes.map(\.first) == [1])
    }
}
