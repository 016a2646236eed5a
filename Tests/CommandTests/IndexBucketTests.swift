// A bucket of odd keys in several pages, with the built binary against moto's S3 server, by both versions of the listing.

import Foundation
import MirrorTestSupport
import Testing

/// Runs beside the others: where moto has to be installed first, that takes minutes.
@Suite(.serialized, .timeLimit(.minutes(20 * Allowance.factor))) struct IndexBucketTests {
    @Test func `all pages of a bucket arrive, and then the listing alone is enough`() async throws {
        let server: BucketServer
        do {
            server = try await BucketServer.start()
        } catch let problem as WebServer.Problem {
            FileHandle.standardError.write(Data("NOT TESTED, a bucket of S3: \(problem)\n".utf8))
            return
        }
        for query in ["?list-type=2", ""] {
            let place = try Workplace()
            let source = "http://127.0.0.1:\(server.port)/pub/\(query)"
            let first = try await place.sync(source, "-q")
            #expect(first.ending == .exit(1), "\(query)")
            let expected = try OddTree.found(at: server.truth)
            #expect(expected.files.count == 2_495)
            #expect(try OddTree.found(at: place.directory).differences(from: expected) == [])
            // Keys that are no paths.
            let refused = try place.report().files.filter { $0.status == "failed" }
            #expect(
                refused.map(\.path).sorted() == [
                    "../up.txt", "/leading.txt", "a//double.txt", "x/../y.txt", "x/./z.txt",
                ])
            #expect(Set(refused.compactMap { $0.error?.code }) == ["unsafe-path"])

            let before = server.requests.count
            let second = try await place.sync(source, "-q", "--trust-index")
            #expect(second.ending == .exit(1))
            let statuses = try place.report().files.map(\.status)
            #expect(statuses.count { $0 == "unchanged" } == 2_495)
            let asked = server.requests[before...]
            #expect(asked.count == 3 && asked.allSatisfy { $0.hasPrefix("GET /pub") && !$0.contains(".txt") })
        }
    }
}
