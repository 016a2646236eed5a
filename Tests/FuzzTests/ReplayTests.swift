import FuzzTargets
import Testing

import struct MirrorTestSupport.Mutations

/// Nothing that comes from outside traps or breaks a promise: what is kept in Tests/Fuzz, and what it becomes by damage
/// that is the same in every run.
struct ReplayTests {
    @Test(arguments: FuzzTarget.allCases) func `inputs that are kept hold every promise`(_ target: FuzzTarget) throws {
        let inputs = try Corpus.inputs(of: target)
        var looked = 0
        for input in inputs {
            do throws(BrokenPromise) {
                looked += try target.check(input.bytes) ? 1 : 0
            } catch {
                Issue.record("\(target.rawValue)/\(input.name): \(error)")
            }
        }
        // Not all are to be refused: then nothing would be tested.
        #expect(looked >= 3)
    }

    @Test(arguments: FuzzTarget.allCases) func `damaged inputs hold every promise`(_ target: FuzzTarget) throws {
        let inputs = try Corpus.inputs(of: target).map(\.bytes).filter { $0.count < 4_096 }
        var random = Mutations(seed: 0x5EED)
        var looked = 0
        for round in 0..<2_000 where !inputs.isEmpty {
            let bytes = random.mutated(inputs[round % inputs.count])
            do throws(BrokenPromise) {
                looked += try target.check(bytes) ? 1 : 0
            } catch {
                Issue.record("\(target.rawValue): \(error), of \(bytes)")
            }
        }
        #expect(looked > 25)
    }
}
