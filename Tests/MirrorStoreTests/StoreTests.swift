import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct StoreTests {
    @Test func smoke() async throws {
        var template = Array("/tmp/mirror-store-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        let dir = String(cString: made)
        let store = try await Store.open(directory: dir + "/a/b")
        let path = try LocalPath("x/y/z.bin")
        let partial = try store.makePartial(for: path)
        let bytes = [UInt8](repeating: 7, count: 5000)
        try bytes.withUnsafeBytes { try partial.write($0, at: 0) }
        let record = FileRecord(url: "http://h/", size: 0, modified: 0, validators: Validators())
        let file = try await store.seal(
            SealOrder(partial: partial, size: 5000, modified: HTTPDate(seconds: 1000), record: record)
        ).get()
        #expect(file == LocalFile(size: 5000, modified: 1_000_000_000_000))
        #expect(store.localFacts(for: path).validRecord != nil)
        await store.close()
    }
}
