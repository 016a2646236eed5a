import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct SourceFileTests {
    @Test func readingAFile() throws {
        let folder = TestFolder()
        for count in [0, 3, 600_000] {
            folder.write("a", pattern(count))
            let pieces = try read(folder.path + "/a")
            #expect(pieces.flatMap { $0 } == pattern(count))
            // It is never in memory whole.
            #expect(pieces.allSatisfy { $0.count <= 65_536 })
        }
    }

    @Test func readingEndsWhereNoMoreIsTaken() throws {
        let folder = TestFolder()
        folder.write("a", pattern(600_000))
        var count = 0
        try SourceFile.read(folder.path + "/a") {
            count += $0.count
            return count < 100_000
        }
        #expect((100_000..<200_000).contains(count))
    }

    private func read(_ path: String, isCancelled: () -> Bool = { false }) throws(Failure) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        try SourceFile.read(path, isCancelled: isCancelled) {
            pieces.append(Array($0))
            return true
        }
        return pieces
    }

    @Test func aNamedPipeIsReadToItsEnd() throws {
        let folder = TestFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        // Kept open here until its writer is, so that neither waits for the other.
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        var writer = open(path, O_WRONLY)
        #expect(write(writer, "https://h/a\n", 12) == 12)
        close(reader)
        let pieces = try read(path) {
            // All that was written has been read: now the writer goes.
            close(writer)
            writer = -1
            return false
        }
        #expect(pieces == [Array("https://h/a\n".utf8)])
    }

    @Test func aNamedPipeWithoutAWriterIsGivenUp() {
        let folder = TestFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: Failure.self) { try read(path) { true } }
    }

    @Test(arguments: ["missing", "folder", "a/b"]) func filesThatCannotBeRead(_ name: String) {
        let folder = TestFolder()
        folder.makeFolder("folder")
        folder.write("a", [])
        do {
            _ = try read("\(folder.path)/\(name)")
            Issue.record("it was read")
        } catch {
            #expect(error.code == .invalidSource)
        }
    }
}
