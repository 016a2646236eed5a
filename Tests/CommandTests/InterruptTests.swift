// Signals in the middle of a transfer. The origin gives each connection a rate, so that there is a middle; the tests
// act when so many bytes have been sent, never after a time.

import Foundation
import Glibc
import MirrorTestSupport
import Testing

extension BuiltBinary {
    @Suite struct InterruptTests {
        private static let size: Int64 = 16 << 20
        private static let body = Body.synthetic(length: size, seed: 9)
        private static let arguments = ["manifest.txt", "-k", "1M", "-s", "4", "-x", "4"]

        private func prepare(rate: Int?) throws -> (WickedOrigin, Workplace) {
            let origin = try WickedOrigin(limits: Limits { $0.bytesPerSecond = rate }, sendBuffer: 1 << 16)
            origin.serve("/large.img", Resource(body: Self.body, etag: "\"v1\""))
            let place = try Workplace(origin)
            try place.write("manifest.txt", lines: [origin.url("/large.img")])
            return (origin, place)
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func `C013 C140 a signal ends the run in good order, and the next one goes on`(signal: Int32) async throws {
            let (origin, place) = try prepare(rate: 2 << 20)
            let run = try place.start(Self.arguments)
            #expect(await origin.waitUntil(bodyBytesSent: Self.size / 2))
            run.send(signal)
            let result = await run.result()
            #expect(result.ending == .exit(3))
            #expect(result.errors == "mirror: ending in good order; once more to end at once\n")
            #expect(!place.exists("out/large.img"))
            let report = try place.report()
            #expect(report.run.interrupted && report.run.exitCode == 3)
            #expect(report["large.img"]?.status == "interrupted")
            #expect(origin.peakConnections <= 4)

            origin.limits.bytesPerSecond = nil
            let again = try await place.sync("manifest.txt", "-k", "1M", "-s", "4", "-x", "4")
            #expect(again.ending == .exit(0))
            #expect(place.holds("large.img", Self.body))
            #expect(origin.bodyBytesSent < Self.size + 4 << 20)
        }

        @Test func `C013 a second signal ends at once`() async throws {
            let (origin, place) = try prepare(rate: 1 << 20)
            let run = try place.start(Self.arguments)
            #expect(await origin.waitUntil(bodyBytesSent: 1 << 20))
            // Both wait for the stopped process, so that the second one cannot come too late.
            run.send(SIGSTOP)
            #expect(try await run.waitUntilStopped())
            run.send(SIGINT)
            run.send(SIGTERM)
            run.send(SIGCONT)
            #expect(await run.result().ending == .signal(SIGTERM))
            origin.limits.bytesPerSecond = nil
            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            #expect(place.holds("large.img", Self.body))
        }

        @Test func `C138 a run that was killed leaves no lock: the next one begins at once`() async throws {
            let (origin, place) = try prepare(rate: 1 << 20)
            let run = try place.start(Self.arguments)
            #expect(await origin.waitUntil(bodyBytesSent: 1 << 20))
            // The lock holds as long as the process does.
            #expect(try await place.sync("manifest.txt").ending == .exit(4))
            run.send(SIGKILL)
            #expect(await run.result().ending == .signal(SIGKILL))
            #expect(place.exists("out/.mirror/lock") && !place.exists("out/large.img"))
            origin.limits.bytesPerSecond = nil
            #expect(try await place.sync("manifest.txt").ending == .exit(0))
            #expect(place.holds("large.img", Self.body))
            #expect(try place.report()["large.img"]?.status == "done")
        }

        @Test func `a run that is stopped by the terminal goes on when it is continued`() async throws {
            let (origin, place) = try prepare(rate: 2 << 20)
            let run = try place.start(Self.arguments)
            #expect(await origin.waitUntil(bodyBytesSent: Self.size / 4))
            run.send(SIGTSTP)
            #expect(try await run.waitUntilStopped())
            run.send(SIGCONT)
            #expect(await run.result().ending == .exit(0))
            #expect(place.holds("large.img", Self.body))
            #expect(try place.report().totals.retries == 0)
        }

        /// Where a run may hang before it fetches anything.
        enum Stage: String, Sendable, CaseIterable { case source, question, lock }

        @Test(arguments: Stage.allCases, [SIGINT, SIGTERM])
        func `a signal ends a run that has not fetched anything yet`(stage: Stage, signal: Int32) async throws {
            let (origin, place) = try prepare(rate: nil)
            origin.serve("/hangs") { _ in .hang }
            try place.write("hangs.txt", lines: [origin.url("/hangs")])
            var holder: RunningCommand?
            let run: RunningCommand
            switch stage {
            case .source:
                run = try place.start([origin.url("/hangs")])
                #expect(await origin.waitUntil(requests: 1))
            case .question:
                run = try place.start(["hangs.txt", "-n"])
                #expect(await origin.waitUntil(requests: 1))
            case .lock:
                holder = try place.start(["hangs.txt"])
                #expect(await origin.waitUntil(requests: 1))
                run = try place.start(["manifest.txt", "--wait", "1h"])
                // It asks no server before it has the lock, but it has DIR open.
                try await run.waitUntilItHolds(place.directory)
            }
            run.send(signal)
            #expect(await run.result().ending == .exit(3))
            #expect(place.exists("out") == (stage == .lock))
            holder?.send(SIGKILL)
            _ = await holder?.result()
        }
    }
}
