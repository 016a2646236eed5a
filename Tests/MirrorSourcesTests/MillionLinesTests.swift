import MirrorCore
import MirrorSources
import Testing

import enum MirrorTestSupport.Allowance

/// Sizes that real manifests have.
struct MillionLinesTests {
    private static let count = 1_000_000

    private var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.count * 60)
        for index in 0..<Self.count {
            bytes += "https://mirror.example.org/pub/archive/\(index % 1_000)/file-\(index).tar.gz\n".utf8
        }
        return bytes
    }

    @Test(.timeLimit(.minutes(5 * Allowance.factor)))
    func `C155 a million lines are a million entries on a million paths`() {
        let parsed = ManifestParser(layout: .path).parse(bytes)
        #expect(parsed.problems.isEmpty)
        #expect(parsed.entries.count == Self.count)
        #expect(parsed.entries.last?.place.line == Int32(Self.count))
        #expect(parsed.entries.last?.path?.text == "pub/archive/999/file-999999.tar.gz")
        let check = TargetCheck(of: parsed.entries)
        #expect(check.conflicts.isEmpty && check.repeats.isEmpty)
        // A value of every entry's own and nothing more: text, path and the entry itself.
        #expect(MemoryLayout<Entry>.stride <= 96)
    }
}
