// Every exit code, by the ways that lead to it: one clear sentence, and nothing lost.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct ExitCodeTests {
        private static let body = Body.synthetic(length: 100_000, seed: 1)

        private func prepare(_ names: String...) throws -> (WickedOrigin, Workplace) {
            let origin = try WickedOrigin()
            origin.serve("/a.bin", Resource(body: Self.body, etag: "\"1\""))
            let place = try Workplace(origin)
            try place.write("manifest.txt", lines: names.map { origin.url("/\($0)") })
            return (origin, place)
        }

        /// One line for the user, nothing for others.
        private func expectSentence(_ result: CommandResult, _ text: String) {
            #expect(result.output.isEmpty)
            #expect(result.errors == "mirror: \(text)\n")
        }

        @Test func `0 and 1: what failed does not keep the others from being done`() async throws {
            let (origin, place) = try prepare("gone.bin", "a.bin", "folder.bin")
            origin.serve("/folder.bin", Resource(body: Self.body))
            try place.write("out/folder.bin/keep", [1])
            let result = try await place.sync("manifest.txt")
            #expect(result.ending == .exit(1))
            #expect(result.output.contains("not-found: the server does not have it (404)\n"))
            #expect(result.output.contains("conflict: a folder is where the file should go\n"))
            #expect(result.output.contains("2 files failed\n"))
            #expect(place.holds("a.bin", Self.body))
            #expect(place.bytes("folder.bin/keep") == [1])
            let report = try place.report()
            #expect(report.run.exitCode == 1)
            #expect(report.failures == ["not-found", "conflict"])
            #expect(report["a.bin"]?.status == "done")

            origin.serve("/gone.bin", Resource(body: Self.body))
            try FileManager.default.removeItem(atPath: place.directory + "/folder.bin")
            let again = try await place.sync("manifest.txt")
            #expect(again.ending == .exit(0))
            #expect(try place.report().actions == ["a.bin": "skip", "gone.bin": "fetch", "folder.bin": "fetch"])
        }

        @Test func `2: a manifest that is not there`() async throws {
            let (origin, place) = try prepare()
            let result = try await place.sync("none.txt")
            #expect(result.ending == .exit(2))
            expectSentence(result, "none.txt: it cannot be read: no such file or directory")
            #expect(origin.log.isEmpty)
            #expect(!place.exists("out"))
        }

        @Test func `2: an error in the manifest, with its place`() async throws {
            let (origin, place) = try prepare("a.bin")
            try place.write("manifest.txt", lines: [origin.url("/a.bin"), "  size=abc"])
            let result = try await place.sync("manifest.txt")
            #expect(result.ending == .exit(2))
            #expect(result.errors.hasPrefix("mirror: manifest.txt:2:8: "))
            #expect(origin.log.isEmpty)
            #expect(!place.exists("out"))
        }

        @Test func `2: two URLs for one path, with both places`() async throws {
            let (origin, place) = try prepare("a.bin", "x/a.bin")
            let result = try await place.sync("manifest.txt")
            #expect(result.ending == .exit(2))
            #expect(result.errors.contains("manifest.txt:1") && result.errors.contains("manifest.txt:2"))
            #expect(origin.log.isEmpty)
            #expect(!place.exists("out"))
        }

        @Test func `2: an option that does not exist`() async throws {
            let (origin, place) = try prepare("a.bin")
            let result = try await place.sync("manifest.txt", "--frobnicate")
            #expect(result.ending == .exit(2))
            #expect(result.errors.hasPrefix("mirror: unknown option «--frobnicate»\n"))
            #expect(origin.log.isEmpty)
        }

        @Test func `3: the time is over, and the next run goes on`() async throws {
            let (origin, place) = try prepare("a.bin")
            let gate = Gate()
            origin.serve(
                "/a.bin",
                Resource(
                    body: Self.body, etag: "\"1\"",
                    faults: Faults {
                        $0.delivery = .stall(after: 50_000, gate: gate)
                    }))
            let result = try await place.sync("manifest.txt", "--max-time", "1s")
            #expect(result.ending == .exit(3))
            #expect(result.output.contains("ended early: run again to go on\n"))
            #expect(try place.report().run.interrupted)
            #expect(!place.exists("out/a.bin"))
            gate.open()
            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            #expect(place.holds("a.bin", Self.body))
        }

        @Test func `C136 4: another run is at work, and --wait waits for its end`() async throws {
            let (origin, place) = try prepare("a.bin")
            let gate = Gate()
            origin.serve(
                "/a.bin",
                Resource(
                    body: Self.body, etag: "\"1\"",
                    faults: Faults {
                        $0.delivery = .stall(after: 50_000, gate: gate)
                    }))
            let first = try place.start(["manifest.txt"])
            #expect(await origin.waitUntil(requests: 1))
            let refused = try await place.sync("manifest.txt")
            #expect(refused.ending == .exit(4))
            expectSentence(refused, "another run is at work in «\(place.directory)»; --wait T waits for it")
            let waiting = try place.start(["manifest.txt", "--wait", "10m"])
            gate.open()
            #expect(await first.result().ending == .exit(0))
            let second = await waiting.result()
            #expect(second.ending == .exit(0))
            #expect(second.output.hasPrefix("1 file: 1 skip\n"))
        }

        @Test(arguments: ["out", "out/below", "out/far/below"])
        func `5: DIR is a file or below one`(name: String) async throws {
            let (origin, place) = try prepare("a.bin")
            try place.write("out", [1, 2, 3])
            let directory = "\(place.path)/\(name)"
            let result = try await place.sync("manifest.txt", "-d", directory)
            #expect(result.ending == .exit(5))
            expectSentence(result, "«\(directory)» cannot be used: a file is where a folder should go")
            #expect(FileManager.default.contents(atPath: place.directory) == Data([1, 2, 3]))
            #expect(origin.log.allSatisfy { $0.method != "GET" })
        }

        @Test func `5: .mirror cannot be made`() async throws {
            let (_, place) = try prepare("a.bin")
            try place.write("out/.mirror", [1])
            let result = try await place.sync("manifest.txt")
            #expect(result.ending == .exit(5))
            #expect(result.errors.hasPrefix("mirror: «\(place.directory)» cannot be used: "))
            #expect(!place.exists("out/a.bin"))
            #expect(place.bytes(".mirror") == [1])
        }

        @Test func `5: the disk has not enough room, said before anything is fetched`() async throws {
            let (origin, place) = try prepare("a.bin")
            try place.write("out/a.bin", Body.synthetic(length: 100_001, seed: 2).allBytes)
            let result = try await place.sync("manifest.txt", "--min-free", "1000000T")
            #expect(result.ending == .exit(5))
            #expect(result.errors.contains("disk-full"))
            #expect(origin.log.map(\.method) == ["HEAD"])
            #expect(place.bytes("a.bin")?.count == 100_001)
        }
    }
}
