// Entries that cannot all have the paths they ask for: named cases, and everything against a comparison of all pairs.

import MirrorCore
import Testing

import struct MirrorTestSupport.SeededNumbers

private func entry(_ url: String, _ path: String?, line: Int, size: Int64? = nil) -> Entry {
    Entry(
        address: address("http://example.org/\(url)"), path: path.flatMap { try? LocalPath($0) },
        place: SourcePlace(line: line), options: size.map { EntryOptions(size: $0) })
}

private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let entries: [Entry], conflicts: [String], repeats: [Int]

    init(_ name: String, _ entries: [Entry], _ conflicts: [String] = [], repeats: [Int] = []) {
        testDescription = name
        self.entries = entries
        self.conflicts = conflicts
        self.repeats = repeats
    }
}

@Suite struct TargetCheckTests {
    @Test(arguments: [
        Row("nothing", []),
        Row("apart", [entry("a", "a", line: 1), entry("b", "b", line: 2), entry("c", "c/a", line: 3)]),
        Row("no path yet", [entry("a", nil, line: 1), entry("b", nil, line: 2)]),
        Row("two URLs (C092)", [entry("a", "x", line: 1), entry("b", "x", line: 2)], ["twoURLs x 1 2"]),
        Row("one URL twice (C092)", [entry("a", "x", line: 1), entry("a", "x", line: 2)], repeats: [1]),
        Row(
            "one URL twice, other promises",
            [entry("a", "x", line: 1, size: 1), entry("a", "x", line: 2, size: 2)], ["twoPromises x 1 2"]),
        Row(
            "one URL twice, a promise added",
            [entry("a", "x", line: 1), entry("a", "x", line: 2, size: 2)], ["twoPromises x 1 2"]),
        Row("one URL, two paths", [entry("a", "x", line: 1), entry("a", "y", line: 2)]),
        Row(
            "a file, then a folder (C088)",
            [entry("a", "blog", line: 1), entry("b", "blog/post", line: 2)], ["fileAndFolder blog 1 2"]),
        Row(
            "a folder, then a file (C088)",
            [entry("b", "blog/post", line: 1), entry("a", "blog", line: 2)], ["fileAndFolder blog 1 2"]),
        Row(
            "a folder far above",
            [entry("b", "a/b/c/d", line: 1), entry("a", "a/b", line: 2)], ["fileAndFolder a/b 1 2"]),
        Row("a name that starts like a folder", [entry("a", "blog", line: 1), entry("b", "blog2/post", line: 2)]),
        Row("NFC and NFD are two names (C090)", [entry("a", "\u{E9}", line: 1), entry("b", "e\u{301}", line: 2)]),
    ])
    fileprivate func check(_ row: Row) {
        let check = TargetCheck(of: row.entries)
        let found = check.conflicts.map { "\($0.kind) \($0.path) \($0.first.line) \($0.second.line)" }
        #expect(found == row.conflicts)
        #expect(check.repeats == row.repeats)
        #expect(check.withoutRepeats(row.entries).count == row.entries.count - row.repeats.count)
    }

    @Test(arguments: UInt64(0)..<60)
    func agreesWithComparingAllPairs(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let names = ["a", "b", "a/a", "a/b", "a/a/b", "ab", "b/a", "c", "c/c/c", "c/c"]
        let entries = (0..<Int.random(in: 0..<12, using: &random)).map { line in
            let path = names.randomElement(using: &random) ?? "a"
            return entry("\(Int.random(in: 0..<3, using: &random))\(path)", path, line: line)
        }
        let check = TargetCheck(of: entries)
        var isInConflict = false
        for (index, left) in entries.enumerated() {
            for right in entries[(index + 1)...] {
                guard let left = left.path, let other = right.path else { continue }
                let isSamePath = left == other && entries[index].address != right.address
                let isFolder = other.text.hasPrefix(left.text + "/") || left.text.hasPrefix(other.text + "/")
                isInConflict = isInConflict || isSamePath || isFolder
            }
        }
        #expect(check.conflicts.isEmpty != isInConflict)
        let kept = check.withoutRepeats(entries)
        #expect(Set(kept.map(\.place.line)).union(check.repeats.map { Int32($0) }).count == entries.count)
        #expect(isInConflict || Set(kept.map(\.address)).count == kept.count)
    }
}
