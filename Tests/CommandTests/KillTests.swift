// kill -9 at many random moments of runs that do everything at once: large files in ranges, small ones in batches,
// resumed, replaced, deleted and taken-over ones. The moments are bytes, requests and files, never times; only how
// long after such a moment the signal comes is left to the seed, and nothing depends on it.

import Foundation
import Glibc
import MirrorTestSupport
import Testing

/// Beside the others: what it looks for needs no moment of its own, and it takes long.
@Suite(.serialized, .timeLimit(.minutes(5 * Allowance.factor))) struct KillTests {
    /// `make check` kills more often than `make test`.
    private static let kills = ProcessInfo.processInfo.environment["MIRROR_KILLS"].flatMap(Int.init) ?? 40
    private static let arguments = [
        "manifest.txt", "-k", "512k", "-s", "4", "-x", "6", "--report", "report.json", "--report", "report.txt",
    ]

    /// Kills that one scene sees.
    private static let most = 50

    @Test(arguments: 0..<(kills + most - 1) / most)
    func `kill -9 at random moments leaves old bytes or new ones under every name`(round: Int) async throws {
        let origin = try WickedOrigin(limits: Limits { $0.bytesPerSecond = 16 << 20 }, sendBuffer: 1 << 16)
        let place = try Workplace(origin)
        var scene = KillScene(origin, place, seed: UInt64(2026 + round))
        try place.write("manifest.txt", lines: scene.manifest)
        var kills = 0
        var ended = 0
        while kills < min(Self.most, Self.kills - round * Self.most) {
            try scene.stir(isDone: ended > 0)
            ended = 0
            let before = scene.held()
            origin.resetLog()
            let run = try place.start(Self.arguments)
            await scene.waitForMoment(of: run)
            run.send(SIGKILL)
            switch await run.result().ending {
            case .signal(SIGKILL): kills += 1
            case .exit(0): ended += 1
            case let ending: Issue.record("a run ended with \(ending)")
            }
            let faults = scene.faults(since: before)
            try #require(faults == [], "after \(kills) kills")
        }
        origin.limits.bytesPerSecond = nil
        let last = try await place.start(Self.arguments).result()
        #expect(last.ending == .exit(0), "\(last.output)\(last.errors)")
        #expect(scene.differences == [])
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(place.directory)/.mirror/partial")
        #expect(left == [])
        #expect(try await place.start(Self.arguments + ["-n"]).result().ending == .exit(0))
        #expect(Set(try place.report("report.json").files.map(\.action)) == ["skip"])
    }
}
