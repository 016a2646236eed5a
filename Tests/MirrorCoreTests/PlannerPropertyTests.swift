// What holds for every decision, whatever the facts are.

import MirrorCore
import Testing

import struct MirrorTestSupport.SeededNumbers

@Suite struct PlannerPropertyTests {
    @Test(arguments: UInt64(0)..<50)
    func everyDecisionIsSound(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<200 {
            let policy = Policy(
                sizeOnly: Bool.random(using: &random), checksum: Bool.random(using: &random),
                ignoreExisting: Int.random(in: 0..<8, using: &random) == 0)
            let local = local(&random)
            let remote = Int.random(in: 0..<8, using: &random) == 0 ? nil : remote(&random)
            let options = EntryOptions(
                checksum: checksum(&random), size: Bool.random(using: &random) ? size(&random) : nil)
            let decision = Planner(policy: policy).decide(
                local: local, remote: remote, options: Bool.random(using: &random) ? options : nil)
            check(decision, local, remote)
        }
    }

    private func check(_ decision: Decision, _ local: LocalFacts, _ remote: RemoteFacts?) {
        #expect(decision.action != .remove)
        #expect(!decision.reason.isEmpty)
        #expect(decision.localSize == local.file?.size)
        if let failure = decision.failure {
            #expect(failure == local.failure ?? remote?.failure)
            #expect(decision.ranges == nil && decision.kept == .nothing && decision.condition == nil)
            return
        }
        #expect(local.failure == nil)
        if decision.action == .skip {
            #expect(
                local.file != nil && decision.ranges == [] && decision.kept == .nothing && decision.condition == nil)
            return
        }
        #expect([.fetch, .resume].contains(decision.action) || local.file != nil)
        // Where the server says nothing, a partial file that was begun is gone on from as what it was.
        let begun = remote?.refusal == nil || decision.kept == .nothing ? nil : local.partial?.generation.total
        guard let size = remote?.size ?? begun, let ranges = decision.ranges else {
            #expect(decision.ranges == nil && decision.kept == .nothing)
            return
        }
        #expect(decision.remoteSize == size)
        coverage(ranges, decision.kept, size, local)
    }

    /// What is kept and what is fetched are together the file, each byte once.
    private func coverage(_ ranges: [ByteRange], _ kept: Kept, _ size: Int64, _ local: LocalFacts) {
        let present: RangeSet
        switch kept {
        case .nothing: present = RangeSet()
        case .partial(let partial):
            #expect(partial == local.partial)
            #expect(partial.generation.total == size)
            present = partial.ranges
        case .localFile(let count, let generation):
            #expect(count == local.file?.size && generation.total == size)
            present = RangeSet([ByteRange(first: 0, end: count)].compactMap { $0 })
        }
        #expect(RangeSet(ranges + present.ranges).isComplete(total: size))
        #expect(ranges.reduce(0) { $0 + $1.count } + present.count == size)
    }

    private func size(_ random: inout SeededNumbers) -> Int64 {
        ([0, 1, 2, 499, 500, 501, 1 << 40, Int64.max] as [Int64]).randomElement(using: &random) ?? 0
    }

    private func time(_ random: inout SeededNumbers) -> Int64 {
        let ten = Time.tenSeconds * 1_000_000_000
        return [Int64.min, -1, 0, ten, ten + 1, Int64.max].randomElement(using: &random) ?? 0
    }

    private func validators(_ random: inout SeededNumbers) -> Validators {
        MirrorCoreTests.validators(
            [nil, "\"a\"", "\"b\"", "W/\"a\""].randomElement(using: &random) ?? nil,
            modified: [nil, Time.nine, Time.ten, Time.eleven, "x"].randomElement(using: &random) ?? nil)
    }

    private func checksum(_ random: inout SeededNumbers) -> Checksum? {
        Bool.random(using: &random)
            ? Checksum(algorithm: .adler32, value: [0, 0, 0, UInt8.random(in: 0...1, using: &random)]) : nil
    }

    private func local(_ random: inout SeededNumbers) -> LocalFacts {
        var facts = LocalFacts(checksum: checksum(&random))
        let size = size(&random), time = time(&random)
        if Int.random(in: 0..<4, using: &random) > 0 { facts.file = LocalFile(size: size, modified: time) }
        if Bool.random(using: &random) {
            facts.record = FileRecord(
                url: "u", size: Bool.random(using: &random) ? size : self.size(&random), modified: time,
                validators: validators(&random), isEncoded: Bool.random(using: &random), checksum: checksum(&random))
        }
        if Bool.random(using: &random) {
            let ends = [self.size(&random), self.size(&random)].sorted()
            facts.partial = PartialRecord(
                url: "u", generation: Generation(total: self.size(&random), validators: validators(&random)),
                ranges: RangeSet([ByteRange(first: ends[0], end: ends[1])].compactMap { $0 }))
        }
        if Int.random(in: 0..<20, using: &random) == 0 { facts.failure = .isFolder }
        return facts
    }

    private func remote(_ random: inout SeededNumbers) -> RemoteFacts {
        // A refusal comes with nothing else.
        if Int.random(in: 0..<10, using: &random) == 0 { return RemoteFacts(refusal: .status(403)) }
        return RemoteFacts(
            size: Int.random(in: 0..<5, using: &random) > 0 ? size(&random) : nil, validators: validators(&random),
            failure: Int.random(in: 0..<10, using: &random) == 0 ? .status(404) : nil)
    }
}
