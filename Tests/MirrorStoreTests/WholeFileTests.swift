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
