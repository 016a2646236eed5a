// C178 for the built binary: every place where a secret of a URL or an option could show, while it runs and afterwards.

import Foundation
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct SecretsTests {
        private static let body = Body.synthetic(length: 100_000, seed: 1)
        private static let secrets = [
            "swordfish01", "deadbeef02", "cafebabe03", "opensesame04", "hunter05", "feedface06", "listword07",
            "listtoken08", "proxyword09",
        ]

        /// A list at a URL with secrets, of files with secrets: one that is there behind a signed link, one that is not,
        /// one that hangs.
        private func prepare() throws -> (WickedOrigin, Workplace, arguments: [String]) {
            let origin = try WickedOrigin()
            let base = "127.0.0.1:\(origin.port)"
            origin.serve("/list.txt") { _ in
                .text(
                    """
                    http://anna:swordfish01@\(base)/good.bin?token=deadbeef02
                      header=Authorization: Bearer opensesame04
                    http://\(base)/gone.bin?X-Amz-Signature=cafebabe03&part=7
                    http://\(base)/slow.bin?sig=cafebabe03

                    """)
            }
            origin.serve("/good.bin") { _ in .redirect(to: "/signed?X-Amz-Signature=feedface06") }
            origin.serve("/signed", Resource(body: Self.body, etag: "\"1\""))
            origin.serve("/slow.bin") { _ in .hang }
            let list = "http://me:listword07@\(base)/list.txt?token=listtoken08"
            let options = ["-u", "bob:hunter05", "--header=X-Key: opensesame04", "--proxy-user", "x:proxyword09"]
            return (origin, try Workplace(origin), options + [list])
        }

        private func hides(_ text: String, _ where: String) {
            for secret in Self.secrets { #expect(!text.contains(secret), "\(`where`) shows \(secret)") }
        }

        @Test(arguments: [["-v", "--progress", "plain"], ["-q"]])
        func `C178 nothing that is written, shown or left behind has a secret`(how: [String]) async throws {
            let (origin, place, arguments) = try prepare()
            let run = try place.start(
                how + arguments + [
                    "--retries", "0", "--report", "\(place.path)/r.json", "--report", "\(place.path)/r.txt",
                ])
            #expect(
                await origin.waitUntil { log in
                    log.contains { $0.target.hasPrefix("/slow.bin") }
                        && log.contains { $0.target.hasPrefix("/gone.bin") && $0.outcome == .complete }
                })
            while !place.exists("out/good.bin"), !run.hasEnded { try await Task.sleep(for: .milliseconds(5)) }
            let title = try String(contentsOfFile: "/proc/\(run.process)/cmdline", encoding: .utf8)
            hides(title, "the process title")
            #expect(title.contains("sync\0") && title.contains("***") && title.contains("/list.txt"))
            run.send(SIGINT)
            let result = await run.result()
            #expect(result.ending == .exit(3))
            hides(result.output, "standard output")
            hides(result.errors, "standard error")
            #expect(how == ["-q"] || result.output.contains("***"))
            var files: [String] = []
            for name in try FileManager.default.subpathsOfDirectory(atPath: place.path) {
                guard let data = FileManager.default.contents(atPath: "\(place.path)/\(name)") else { continue }
                hides(String(decoding: data, as: UTF8.self), name)
                hides(name, "a file name")
                files.append(name)
            }
            #expect(Set(files).isSuperset(of: ["r.json", "r.txt", "out/.mirror/report.json", "out/good.bin"]))
            // The test can fail: the server got all of them.
            let got = origin.log.map { log in
                [log.target, log.headers["Authorization"] ?? "", log.headers["X-Key"] ?? ""].joined(separator: " ")
            }
            for secret in ["deadbeef02", "cafebabe03", "opensesame04", "feedface06", "listtoken08"] {
                #expect(got.contains { $0.contains(secret) }, "\(secret)")
            }
        }

        @Test func `C178 a dry run, a bad option and a bad list tell no secret either`() async throws {
            let (_, place, arguments) = try prepare()
            let dry = try await place.start(["-n", "--stall-timeout", "1s", "--retries", "0"] + arguments).result()
            hides(dry.output + dry.errors, "a dry run")
            #expect(dry.output.contains("***"))
            let usage = try await place.start(["--user", "hunter05", "--jbos"] + arguments).result()
            hides(usage.output + usage.errors, "a usage error")
            #expect(usage.ending == .exit(2))
            try place.write(
                "bad.txt", lines: ["http://anna:swordfish01@[::1/x?token=deadbeef02", "  token=deadbeef02"])
            let bad = try await place.sync("bad.txt")
            hides(bad.output + bad.errors, "a bad list")
            #expect(bad.ending == .exit(2))
        }
    }
}
