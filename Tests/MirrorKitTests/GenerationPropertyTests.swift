// Whatever a server does, a file is whole and of one state, or it has failed and the old one is there (classes A, B, E).

import MirrorKit
import MirrorTestSupport
import Testing

struct GenerationPropertyTests {
    /// How one run of a seed is set up, drawn from the seed too.
    private struct Setting {
        var split: Int
        var minimum: Int64
        var connections: Int
        /// An older file under the final name.
        var old: Body?
        var hasAlternate: Bool

        init(seed: UInt64) {
            var numbers = SeededNumbers(seed: seed ^ 0xABCD)
            split = Int.random(in: 1...6, using: &numbers)
            minimum = Int64.random(in: 1_000...60_000, using: &numbers)
            connections = Int.random(in: 1...6, using: &numbers)
            let hasOld = Bool.random(using: &numbers)
            old = hasOld ? .sized(Int64.random(in: 5_000...400_000, using: &numbers), seed: seed &+ 77_000_000) : nil
            hasAlternate = Int.random(in: 0..<4, using: &numbers) == 0
        }
    }

    private func run(_ file: MoodyFile, line: SourceLocation = #_sourceLocation) async throws -> FileReport {
        // With little on its way between the two, answers overlap in time.
        let site = try SyncFixture(sendBuffer: 4096)
        let setting = Setting(seed: file.seed)
        let second = MoodyFile(seed: file.seed &+ 5_000_000, calm: file.calm, refuses: file.refuses)
        site.origin.serve("/a.zip") { file.answer(to: $0) }
        site.origin.serve("/b.zip") { second.answer(to: $0) }
        if let old = setting.old { site.put("a.zip", old.allBytes, modified: Resource.seconds(0) + Int(file.seed % 2)) }
        let urls = [site.origin.url("/a.zip")] + (setting.hasAlternate ? [site.origin.url("/b.zip")] : [])
        let report = try await site.sync(urls.joined(separator: "\t") + "\n") {
            $0.split = setting.split
            $0.minimumSplitSize = setting.minimum
            $0.transport.connectionsPerHost = setting.connections
        }
        let result = try #require(report.files.first)
        let asked = site.origin.requests(for: "/a.zip").count
        let askedSecond = site.origin.requests(for: "/b.zip").count
        let story: Comment = "seed \(file.seed): \(result.line), \(result.reason), \(result.failure?.message ?? "")"
        // Every answer of a bad server may cost a retry, and the rest is what one healthy transfer takes.
        #expect(asked + askedSecond <= 2 * (file.calm + 60), story, sourceLocation: line)
        switch result.status {
        case .unchanged:
            // 304, or the right size: for a file of an unknown past that is all there is to ask.
            #expect(setting.old.map { site.holds("a.zip", $0) } ?? false, story, sourceLocation: line)
        case .done:
            let states = file.bodies(requests: asked) + second.bodies(requests: askedSecond)
            #expect(states.contains { site.holds("a.zip", $0) }, story, sourceLocation: line)
            #expect(report.run.exitCode == .inLine, story, sourceLocation: line)
            #expect(result.failure == nil, story, sourceLocation: line)
        case .failed:
            #expect(setting.old.map { site.holds("a.zip", $0) } ?? !site.exists("a.zip"), story, sourceLocation: line)
            #expect(report.run.exitCode == .someFailed, story, sourceLocation: line)
            #expect(result.failure != nil, story, sourceLocation: line)
        default: Issue.record("seed \(file.seed): \(result.line)", sourceLocation: line)
        }
        return result
    }

    @Test("a server that misbehaves at every request and never stops", arguments: 0..<30)
    func wicked(block: Int) async throws {
        for seed in 0..<10 {
            _ = try await run(MoodyFile(seed: UInt64(block * 10 + seed), calm: 60, refuses: true))
        }
    }

    @Test("a server that misbehaves for three requests and then behaves: the file is there", arguments: 0..<30)
    func recovers(block: Int) async throws {
        for seed in 0..<10 {
            let file = MoodyFile(seed: UInt64(10_000 + block * 10 + seed), calm: 3, refuses: false)
            let result = try await run(file)
            #expect(result.status != .failed, "seed \(file.seed): \(result.line) \(result.failure?.message ?? "")")
        }
    }
}
