// The example of README.md. It stands here to be compiled; the test holds the two texts against each other.

import Foundation
import MirrorKit
import Testing

private func example() async throws {
    // begin
    var options = SyncOptions(sources: ["/etc/mirror/nightly.txt"])
    options.directory = "/srv/mirror"
    options.jobs = 8
    let sync = Sync(options)
    let events = sync.events()
    Task {
        for await case .finished(let file) in events { print(file.path, file.action, file.status) }
    }
    let report = try await sync.run()
    print("\(report.totals.bytesFetched) bytes fetched, exit code \(report.run.exitCode.rawValue)")
    // end
}

@Suite struct LibraryExampleTests {
    @Test func `the example of README.md is the one that compiles`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try String(contentsOf: here, encoding: .utf8)
        let shown = try #require(readme.components(separatedBy: "```swift\nimport MirrorKit\n\n").last)
        let example = try #require(shown.components(separatedBy: "```").first)
        let compiled = try #require(source.components(separatedBy: "    // begin\n").dropFirst().first)
            .components(separatedBy: "    // end\n")[0]
        #expect(example == compiled.split(separator: "\n").map { $0.dropFirst(4) + "\n" }.joined())
    }
}
