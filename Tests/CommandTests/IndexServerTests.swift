// A whole tree of odd names through the listings of real servers, with the built binary: every byte and every name
// arrives, a second run has nothing to do, and a manifest made of the index gives the same tree.

import Foundation
import MirrorTestSupport
import Testing

/// Beside the others: a listing is the same however busy the machine is, and there are many servers.
@Suite(.serialized, .timeLimit(.minutes(5 * Allowance.factor))) struct IndexServerTests {
    /// What becomes of the tree with one server.
    private struct Expectation {
        var options: [String] = []
        /// Entries that the server lists and cannot give back, with the codes of the report.
        var failures: [String: String] = [:]
        var hides: (String) -> Bool = { _ in false }
        /// Whether its listing has exact sizes and times.
        var isExact = false
        /// Files for which a HEAD does not say enough: a conditional GET decides, and brings nothing.
        var asksAgain: [String] = []
        /// The link to a name that is no UTF-8, where it is not that of the bytes.
        var latin = "latin-%25E9"
    }

    /// Their HEAD of an empty file has no length.
    private static let emptyFile = ["GET /tree/empty.bin"]

    private static func hidesDots(_ key: String) -> Bool { key.hasPrefix(".") || key.contains("/.") }

    private static func expectation(_ program: WebServerProgram) -> Expectation {
        switch program {
        // The link without a target is listed and answered with 404.
        case .nginxHTML: Expectation(failures: ["dangling": "not-found"], hides: hidesDots)
        // Here it says that the link is neither a file nor a folder.
        case .nginxXML, .nginxJSON: Expectation(hides: hidesDots, isExact: true)
        case .apacheFancy, .apacheTable, .apachePlain: Expectation(asksAgain: emptyFile)
        // Its properties leave links out.
        case .apacheDAV:
            Expectation(
                options: ["--from", "dav"], hides: { $0.hasPrefix("link-to-") }, isExact: true,
                asksAgain: emptyFile)
        // It links control characters correctly, and then refuses the request.
        case .lighttpd:
            Expectation(
                failures: ["new%0Aline.txt": "http", "tab%09here.txt": "http"], hides: hidesDots,
                asksAgain: emptyFile)
        case .caddy: Expectation(failures: ["dangling": "not-found"])
        // It writes a byte that is no UTF-8 as the surrogate that Python has for it.
        case .python: Expectation(failures: ["dangling": "not-found"], latin: "latin-%25ED%25B3%25A9")
        }
    }

    @Test(arguments: WebServerProgram.allCases)
    func `a tree of odd names arrives byte for byte, and then there is nothing to do`(
        _ program: WebServerProgram
    ) async throws {
        let scene = try Workplace()
        let root = "\(scene.path)/www"
        try FileManager.default.createDirectory(atPath: "\(root)/tree", withIntermediateDirectories: true)
        let tree = try OddTree.make(at: "\(root)/tree")
        let server = try await WebServer.start(program, root: root)
        let place = try Workplace(server, scene)
        let expectation = Self.expectation(program)
        // A name that could be taken for an escape, and one that is no UTF-8, stay percent-encoded.
        let expected = tree.without { expectation.failures[$0] != nil || expectation.hides($0) }
            .renamed(["pct%252Fslash.txt": "pct%25252Fslash.txt", "latin-%E9": expectation.latin])
        let source = server.url("/tree/")
        let exit = ChildProcess.Ending.exit(expectation.failures.isEmpty ? 0 : 1)

        let first = try await place.start([source, "-q"] + expectation.options).result()
        #expect(first.ending == exit, "\(first.errors)")
        #expect(try OddTree.found(at: place.directory).differences(from: expected) == [])
        #expect(try Self.failures(place) == expectation.failures)

        let list = try await RunningCommand(["list", source] + expectation.options).result()
        #expect(list.ending == .exit(0), "\(list.errors)")
        try place.write("list.txt", Array(list.output.utf8))
        let listed = try await CommandResult.of("sync", "list.txt", "-d", "listed", "-q", directory: place.path)
        #expect(listed.ending == exit, "\(listed.errors)")
        #expect(try OddTree.found(at: "\(place.path)/listed").differences(from: expected) == [])

        try await server.mark("second")
        let second = try await place.start([source, "-q"] + expectation.options).result()
        try await server.mark("third")
        let trusting = try await place.start([source, "-q", "--trust-index"] + expectation.options).result()
        try await server.mark("end")
        #expect(second.ending == exit, "\(second.errors)")
        #expect(trusting.ending == exit, "\(trusting.errors)")
        let statuses = try place.report().files.filter { $0.status != "failed" }.map(\.status)
        #expect(statuses.count == expected.files.count)
        #expect(Set(statuses) == ["unchanged"])
        #expect(try OddTree.found(at: place.directory).differences(from: expected) == [])

        let lost = Set(expectation.failures.keys.map { "/tree/\($0)" })
        let files = { (requests: [WebServer.Request]) in
            requests.filter { request in
                !request.target.hasSuffix("/") && !lost.contains(request.target)
            }
        }
        let asked = files(server.requests(from: "second", to: "third"))
        #expect(asked.contains { $0.method == "HEAD" })
        #expect(asked.filter { $0.method != "HEAD" }.map(\.description) == expectation.asksAgain)
        if expectation.isExact { #expect(files(server.requests(from: "third", to: "end")) == []) }
    }

    /// The codes of the entries that failed.
    private static func failures(_ place: Workplace) throws -> [String: String] {
        let failed = try place.report().files.filter { $0.status == "failed" }
        return Dictionary(failed.map { (OddTree.key($0.path.utf8), $0.error?.code ?? "") }) { $1 }
    }
}
