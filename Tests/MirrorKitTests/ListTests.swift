// What sources name, written as a manifest.

import MirrorKit
import MirrorTestSupport
import Testing

struct ListTests {
    /// The pieces of text that are handed over, and the outcome.
    private func list(_ manifest: String) async throws -> (pieces: [String], outcome: SourceList.Outcome) {
        let site = try SyncFixture()
        site.write(Array(manifest.utf8), to: "\(site.folder)/list.txt")
        let pieces = Locked<[String]>([])
        let outcome = try await SourceList(SyncOptions(sources: ["\(site.folder)/list.txt"])).run { piece in
            pieces.withLock { $0.append(piece) }
        }
        return (pieces.withLock { $0 }, outcome)
    }

    @Test(
        "what is written is what was read",
        arguments: [
            "https://h/pub/plain.bin\n",
            "https://h/pub/a%20b\n",
            "https://h/pub/100%25.txt\n",
            "https://h/pub/star*=@.txt\n",
            "https://h/get?id=1\n",
            "https://h/get?id=1\n  out=1\n",
            "https://h/pub/xab\n  out=ab\n",
            "https://h/d/ab\n  out=d/ab\n",
            "https://h/pub/a%20b\n  out=a%20b\n",
            "https://h/pub/\u{E9}\n  out=\u{E9}t\u{E9}\n",
            "https://h/a\thttps://i/a\thttps://j/b\n  size=5\n  split=2\n",
        ])
    func roundTrip(_ manifest: String) async throws {
        let (pieces, outcome) = try await list(manifest)
        #expect(pieces == [manifest.replacing("\u{E9}\n  out", with: "%C3%A9\n  out")])
        #expect(outcome.entries == 1 && !outcome.isPartial && outcome.warnings.isEmpty)
    }

    @Test("a long list comes in pieces of whole entries")
    func longList() async throws {
        let manifest = (0..<5_000).map { "https://h/pub/file-\($0).bin\n  out=folder/\($0)\n" }.joined()
        let (pieces, outcome) = try await list(manifest)
        #expect(pieces.joined() == manifest)
        #expect(outcome.entries == 5_000)
        #expect(pieces.count > 1 && pieces.allSatisfy { $0.utf8.count < 40_000 })
        #expect(pieces.allSatisfy { $0.hasPrefix("https://") && $0.hasSuffix("\n") })
    }

    @Test("an entry that cannot be written leaves no line behind")
    func unwritable() async throws {
        let manifest = """
            https://h/first
            https://h/a\thttps://user:word@i/a
              out=x
            https://h/b
              out=y
              header=X-Key: k
            https://h/last

            """
        let (pieces, outcome) = try await list(manifest)
        #expect(pieces == ["https://h/first\nhttps://h/last\n"])
        #expect(outcome.entries == 2 && outcome.isPartial && outcome.warnings.count == 2)
    }
}
