// Whether a server is asked before a decision: never in vain, and always where the answer changes what is done.

import MirrorCore
import Testing

private let red = Checksum(algorithm: .adler32, value: [1, 2, 3, 4])
private let blue = Checksum(algorithm: .adler32, value: [5, 6, 7, 8])
private let otherType = Checksum(algorithm: .md5, value: Array(repeating: 0, count: 16))
private let file = LocalFile(size: 500, modified: 0)
private let partial = PartialRecord(
    url: "u", generation: Generation(total: 1000, validators: Validators()), ranges: set(range(0, 899)))

private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let policy: Policy, local: LocalFacts, declared: Checksum?
    let inRealRun: Bool, inDryRun: Bool

    init(
        _ name: String, _ local: LocalFacts, policy: Policy = Policy(), declared: Checksum? = nil, real: Bool, dry: Bool
    ) {
        testDescription = name
        self.policy = policy
        self.local = local
        self.declared = declared
        inRealRun = real
        inDryRun = dry
    }
}

@Suite struct PolicyTests {
    @Test(arguments: [
        Row("missing: GET at once, but a dry run shows sizes", LocalFacts(), real: false, dry: true),
        Row("missing, a partial file", LocalFacts(partial: partial), real: true, dry: true),
        Row("an unusable path", LocalFacts(failure: .isFolder), real: false, dry: false),
        Row("an unusable path of a file", LocalFacts(file: file, failure: .notRegular), real: false, dry: false),
        Row("a file", LocalFacts(file: file), real: true, dry: true),
        Row("a file, --size-only", LocalFacts(file: file), policy: Policy(sizeOnly: true), real: true, dry: true),
        Row(
            "a file, --ignore-existing", LocalFacts(file: file), policy: Policy(ignoreExisting: true), real: false,
            dry: false),
        Row("missing, --ignore-existing", LocalFacts(), policy: Policy(ignoreExisting: true), real: false, dry: true),
        Row(
            "checksum equal", LocalFacts(file: file, checksum: red), policy: Policy(checksum: true), declared: red,
            real: false, dry: false),
        Row(
            "checksum different", LocalFacts(file: file, checksum: blue), policy: Policy(checksum: true), declared: red,
            real: false, dry: true),
        Row(
            "checksum different, a partial file to go on with",
            LocalFacts(file: file, partial: partial, checksum: blue), policy: Policy(checksum: true), declared: red,
            real: true, dry: true),
        Row(
            "checksum of another type", LocalFacts(file: file, checksum: otherType), policy: Policy(checksum: true),
            declared: red, real: true, dry: true),
        Row(
            "checksum not declared", LocalFacts(file: file, checksum: red), policy: Policy(checksum: true), real: true,
            dry: true),
        Row(
            "checksum not computed", LocalFacts(file: file), policy: Policy(checksum: true), declared: red, real: true,
            dry: true),
        Row("checksum not asked for", LocalFacts(file: file, checksum: red), declared: red, real: true, dry: true),
    ])
    fileprivate func needsProbe(_ row: Row) {
        let policy = row.policy
        #expect(policy.needsProbe(local: row.local, declared: row.declared, isDryRun: false) == row.inRealRun)
        #expect(policy.needsProbe(local: row.local, declared: row.declared, isDryRun: true) == row.inDryRun)
    }

    /// Dry run = real run: where a real run does not ask, the answer would not have changed the action.
    @Test func notAskingChangesNoAction() {
        let checksums = [nil, red, blue, otherType]
        for index in 0..<256 {
            let local = LocalFacts(
                file: index & 1 == 0 ? file : nil, partial: index & 2 == 0 ? partial : nil,
                checksum: checksums[index >> 2 & 3])
            let declared = checksums[index >> 4 & 3]
            let policy = Policy(checksum: index & 64 == 0, ignoreExisting: index & 128 == 0)
            guard !policy.needsProbe(local: local, declared: declared, isDryRun: false) else { continue }
            let planner = Planner(policy: policy), options = EntryOptions(checksum: declared)
            let blind = planner.decide(local: local, remote: nil, options: options)
            for size in [nil, 0, 400, 500, 1000] as [Int64?] {
                let seeing = planner.decide(local: local, remote: RemoteFacts(size: size), options: options)
                #expect(seeing.action == blind.action, "\(local), \(String(describing: declared)), \(policy)")
                #expect(seeing.kept == blind.kept, "\(local), \(String(describing: declared)), \(policy)")
            }
        }
    }
}
