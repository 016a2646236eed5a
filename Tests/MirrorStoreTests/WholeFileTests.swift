import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct WholeFileTests {
    @Test func readingAFile() throws {
        let folder = TestFolder()
        for count in [0, 3, 600_000] {
            folder.write("a", pattern(count))
            #expect(try WholeFile.read(folder.path + "/a") == pattern(count))
        }
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
        let bytes = try WholeFile.read(path) {
            // All that was written has been read: now the writer goes.
            close(writer)
            writer = -1
            return false
        }
        #expect(bytes == Array("https://h/a\n".utf8))
    }

    @Test func aNamedPipeWithoutAWriterIsGivenUp() {
        let folder = TestFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: Failure.self) { try WholeFile.read(path, isCancelled: { true }) }
    }

    @Test(arguments: ["missing", "folder", "a/b"]) func filesThatCannotBeRead(_ name: String) {
        let folder = TestFolder()
        folder.makeFolder("folder")
        folder.write("a", [])
        do {
            _ = try WholeFile.read("\(folder.path)/\(name)")
            Issue.record("it was read")
        } catch {
            #expect(error.code == .invalidSource)
        }
    }
}
