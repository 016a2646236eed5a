// The rules of the contract, shown with the built binary against nginx: what a dry run says is what a run does.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct RulesTests {
        private static let remote: [String: Body] = [
            "missing.img": .synthetic(length: 3_000_000, seed: 1),
            "short.img": .synthetic(length: 3_000_000, seed: 2),
            "equal.img": .synthetic(length: 1_000_000, seed: 3),
            "larger.img": .synthetic(length: 1_000_000, seed: 4),
            "changed.img": .synthetic(length: 1_000_000, seed: 5),
        ]
        private static let actions = [
            "missing.img": "fetch", "short.img": "resume", "equal.img": "skip", "larger.img": "delete",
            "changed.img": "replace",
        ]

        /// A server and a DIR in which every rule occurs.
        private func prepare() async throws -> (NginxServer, Workplace) {
            let server = try await NginxServer.start()
            let place = try Workplace(server)
            let recent = Date(timeIntervalSince1970: 1_700_000_000)
            for (name, body) in Self.remote { try server.serve(name, body.allBytes, modified: recent) }
            try place.write("manifest.txt", lines: Self.remote.keys.sorted().map { server.url("/\($0)") })
            let short = try #require(Self.remote["short.img"])
            try place.write("out/short.img", short.bytes(in: 0..<1_234_567))
            try place.write("out/equal.img", try #require(Self.remote["equal.img"]).allBytes, modified: recent)
            try place.write("out/larger.img", Body.synthetic(length: 1_000_001, seed: 6).allBytes)
            let old = recent.addingTimeInterval(-86_400)
            try place.write("out/changed.img", Body.synthetic(length: 1_000_000, seed: 7).allBytes, modified: old)
            return (server, place)
        }

        private func expectAllFiles(in place: Workplace) {
            for (name, body) in Self.remote {
                #expect(place.holds(name, body), "\(name)")
            }
        }

        @Test func `five actions in one run`() async throws {
            let (server, place) = try await prepare()
            let result = try await place.sync("manifest.txt")
            #expect(result.ending == .exit(0))
            #expect(result.errors.isEmpty)
            #expect(result.output.contains("5 files: 1 fetch, 1 resume, 1 skip, 1 delete, 1 replace\n"))
            expectAllFiles(in: place)
            let report = try place.report()
            #expect(report.actions == Self.actions)
            #expect(Set(report.files.map(\.status)) == ["done", "unchanged"])
            #expect(report["short.img"]?.ranges == [[1_234_567, 2_999_999]])
            // The 16 KiB before the gap are asked for to prove the old bytes, and again to join the new ones to them.
            let requests = try await server.requests()
            let resumed = requests.filter { $0.target == "/short.img" && $0.method == "GET" }
            #expect(resumed.allSatisfy { $0.status == 206 })
            #expect(resumed.reduce(0) { $0 + $1.bytes } == 3_000_000 - 1_234_567 + 2 * 16_384)
            #expect(requests.count == report.totals.requests)
            #expect(requests.filter { $0.target == "/missing.img" }.map(\.method).contains("HEAD") == false)
        }

        @Test func `a dry run says what the run then does, and changes nothing`() async throws {
            let (server, place) = try await prepare()
            let before = try place.tree()
            let dry = try await place.sync("manifest.txt", "--dry-run", "--report", "plan.json")
            #expect(dry.ending == .exit(0))
            #expect(dry.output.contains("nothing was changed"))
            #expect(try place.tree() == before)
            #expect(!place.exists("out/.mirror"))
            #expect(try await server.requests().allSatisfy { $0.method == "HEAD" })
            let plan = try place.report("plan.json")
            #expect(plan.run.dryRun)
            #expect(Set(plan.files.map(\.status)) == ["planned", "unchanged"])

            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            let report = try place.report()
            #expect(plan.actions == report.actions)
            #expect(plan.files.map(\.ranges) == report.files.map(\.ranges))
            #expect(plan.files.map(\.reason) == report.files.map(\.reason))
            #expect(plan.totals.bytesToFetch == report.totals.bytesToFetch)
            #expect(plan.totals.bytesToFetch == report.totals.bytesFetched - 2 * 16_384)
        }

        @Test func `a dry run does not even make DIR`() async throws {
            let (_, place) = try await prepare()
            try FileManager.default.removeItem(atPath: place.directory)
            let dry = try await place.sync("manifest.txt", "-n")
            #expect(dry.ending == .exit(0))
            #expect(!place.exists("out"))
        }

        @Test func `a plan is a source: it is carried out as it was said`() async throws {
            let (_, place) = try await prepare()
            #expect(try await place.sync("manifest.txt", "-n", "--report", "plan.json").ending == .exit(0))
            #expect(try await place.sync("plan.json").ending == .exit(0))
            expectAllFiles(in: place)
            #expect(try place.report().actions == Self.actions)
        }

        @Test func `a second run asks once for each file and writes nothing but report and state`() async throws {
            let server = try await NginxServer.start()
            let place = try Workplace(server)
            let names = (0..<200).map { "folder-\($0 % 7)/file-\($0)" }
            for (index, name) in names.enumerated() {
                let date = Date(timeIntervalSince1970: 1_600_000_000 + Double(index))
                let body = Body.synthetic(length: Int64(1 + index * 97), seed: UInt64(index))
                try server.serve(name, body.allBytes, modified: date)
            }
            try place.write("manifest.txt", lines: names.map { server.url("/\($0)") })
            #expect(try await place.sync("manifest.txt", "--layout", "path").ending == .exit(0))
            let first = try await server.requests()
            #expect(first.map(\.method) == Array(repeating: "GET", count: 200))
            let tree = try place.tree()
            #expect(tree.count > 200)
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(place.directory)/folder-3/file-3")
            #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_600_000_003))

            let again = try await place.sync("manifest.txt", "--layout", "path")
            #expect(again.ending == .exit(0))
            #expect(again.output.hasPrefix("200 files: 200 skip\n0 B fetched"))
            let second = try await server.requests().dropFirst(first.count)
            #expect(second.map(\.method) == Array(repeating: "HEAD", count: 200))
            #expect(Set(second.map(\.target)).count == 200)
            #expect(try place.tree() == tree)
        }
    }
}
