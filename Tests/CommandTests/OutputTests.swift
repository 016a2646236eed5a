// What a run prints and writes: reports, silence, and no secret anywhere.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct OutputTests {
        private static let body = Body.synthetic(length: 100_000, seed: 1)

        private func prepare() throws -> (WickedOrigin, Workplace) {
            let origin = try WickedOrigin()
            origin.serve("/a.bin", Resource(body: Self.body, etag: "\"1\""))
            let place = try Workplace(origin)
            try place.write("manifest.txt", lines: [origin.url("/a.bin"), origin.url("/none.bin")])
            return (origin, place)
        }

        @Test func `reports beside the one in .mirror, each in its form`() async throws {
            let (_, place) = try prepare()
            let result = try await place.sync("manifest.txt", "--report", "a.json", "--report", "b.txt")
            #expect(result.ending == .exit(1))
            let saved = FileManager.default.contents(atPath: place.path + "/a.json")
            #expect(saved == FileManager.default.contents(atPath: place.directory + "/.mirror/report.json"))
            let report = try place.report("a.json")
            #expect(report.schema == "mirror-report/1")
            #expect(report.totals.files == 2 && report.totals.failed == 1)
            #expect(report.totals.actions["fetch"] == 2)
            let text = try String(contentsOfFile: place.path + "/b.txt", encoding: .utf8)
            #expect(text.contains("a.bin") && text.contains("none.bin") && text.contains("1 file failed\n"))
        }

        @Test func `a report that cannot be written does not undo the run`() async throws {
            let (_, place) = try prepare()
            let result = try await place.sync("manifest.txt", "--report", "no/such/folder/a.json")
            #expect(result.ending != .exit(0))
            #expect(result.errors.contains("no/such/folder/a.json"))
            #expect(place.holds("a.bin", Self.body))
        }

        @Test(arguments: ["a.csv", "a.html", "a", ".json.gz"])
        func `a report of another form is refused before anything is asked`(name: String) async throws {
            let (origin, place) = try prepare()
            let result = try await place.sync("manifest.txt", "--report", name)
            #expect(result.ending == .exit(2))
            #expect(result.errors.hasPrefix("mirror: --report: «\(name)» ends in none of: .json, .txt\n"))
            #expect(origin.log.isEmpty && !place.exists("out"))
        }

        @Test func `a quiet run says nothing when all is well, and only what failed otherwise`() async throws {
            let (origin, place) = try prepare()
            let failing = try await place.sync("manifest.txt", "-q")
            #expect(failing.ending == .exit(1))
            #expect(failing.output.isEmpty)
            let url = origin.url("/none.bin")
            #expect(failing.errors == "mirror: not-found: none.bin: the server does not have it (404) (\(url))\n")
            origin.serve("/none.bin", Resource(body: Self.body))
            let good = try await place.sync("manifest.txt", "-q")
            #expect(good.ending == .exit(0))
            #expect(good.output.isEmpty && good.errors.isEmpty)
        }

        @Test func `standard error is silent in a cron job, and standard output has the sums`() async throws {
            let (origin, place) = try prepare()
            origin.serve("/none.bin", Resource(body: Self.body))
            let result = try await place.sync("manifest.txt")
            #expect(result.errors.isEmpty)
            #expect(result.output.contains("2 files: 2 fetch\n"))
        }

        @Test(arguments: [[], ["-v"], ["-q"], ["-n"], ["-v", "--progress", "plain"]])
        func `secrets are nowhere`(more: [String]) async throws {
            let (origin, place) = try prepare()
            let secrets = ["pass1word", "tok2en", "sign3ature", "head4er", "pass5word", "pass6word", "pass7word"]
            let query = "token=tok2en&X-Amz-Signature=sign3ature"
            let parts = origin.url("/a.bin").split(separator: "/", omittingEmptySubsequences: false)
            func secret(_ name: String) -> String { "http://user:pass1word@\(parts[2])/\(name)?\(query)" }
            try place.write(
                "manifest.txt",
                lines: [
                    secret("a.bin"), "  out=a.bin", secret("none.bin"), "  header=X-Own: head4er",
                    "http://user:pass1word@127.0.0.1:1/refused.bin?\(query)",
                ])
            origin.serve("/moved.bin") { _ in .redirect(to: "/gone?\(query)") }
            try place.write("more.txt", lines: [secret("moved.bin")])
            let arguments =
                ["manifest.txt", "more.txt", "--report", "a.json", "--report", "a.txt", "--retries", "0"]
                + ["--user", "me:pass5word", "--header", "X-Key: head4er", "--proxy-user", "me:pass6word"] + more
            let result = await (try place.start(arguments)).result()
            #expect(result.ending == .exit(1) || more == ["-n"])
            let saved = ["a.json", "a.txt", "out/.mirror/report.json"].compactMap {
                try? String(contentsOfFile: "\(place.path)/\($0)", encoding: .utf8)
            }
            #expect(saved.count == (more == ["-n"] ? 2 : 3))
            for text in [result.output, result.errors] + saved {
                for secret in secrets { #expect(!text.contains(secret), "\(secret) in \(text)") }
            }
            // A bad source must not tell them either.
            let bad = try await place.sync(secret("no-manifest"))
            #expect(bad.ending == .exit(2))
            for secret in secrets { #expect(!bad.errors.contains(secret)) }
        }
    }
}
