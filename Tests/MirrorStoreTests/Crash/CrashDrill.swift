// Loses power at every step of a record, in every way there is and some that chance finds, and looks at what is left.

import Foundation
import MirrorTestSupport
import Testing

@testable import MirrorStore

/// How often, and how it went.
struct CrashDrill {
    private(set) var steps = 0
    /// Different trees that were looked at.
    private(set) var trees = 0
    private(set) var faults: [String] = []

    /// `make check` cuts more often than `make test`.
    static let isThorough = ProcessInfo.processInfo.environment["MIRROR_CUTS"] != nil
    /// Cuts at each step that chance finds.
    private static let seeds = ProcessInfo.processInfo.environment["MIRROR_CUTS"].flatMap(UInt64.init) ?? 1
    /// A run goes over every so many trees; all are looked at.
    private static let runInterval = isThorough ? 1 : 5

    mutating func run(_ record: DiskRecord, of world: CrashWorld) async throws {
        var model = DiskModel(record.start)
        var seen: Set<Int> = []
        steps = record.steps.count
        for number in 0...record.steps.count {
            if number > 0 { model.apply(record.steps[number - 1]) }
            let cuts = PowerCut.certain + (0..<Self.seeds).map { .seeded(UInt64(number) &* 1000 &+ $0) }
            for cut in cuts {
                let tree = cut.tree(model)
                guard seen.insert(tree.hash).inserted else { continue }
                trees += 1
                let found = try await faults(in: tree, of: world, isRun: trees % Self.runInterval == 0)
                faults += found.map { "after step \(number) of \(steps), \(cut): \($0)" }
                if faults.count >= 10 { return }
            }
        }
    }

    private func faults(in tree: DiskTree, of world: CrashWorld, isRun: Bool) async throws -> [String] {
        let place = TestFolder(below: CrashWorld.memory)
        tree.make(in: place.path)
        let check = CrashCheck(world: world, folder: place.path)
        var found = check.faultsAtOnce()
        guard isRun else { return found }
        let report = try await world.sync(in: place.path)
        if report.run.exitCode != .inLine {
            found.append("the next run: \(report.run.exitCode), \(report.files.compactMap(\.failure))")
        }
        found += check.faultsAfterRun().map { "after the next run: \($0)" }
        world.origin.resetLog()
        return found
    }

    /// What the record leaves must be what is on the disk: else something went past the recorder.
    static func expectComplete(_ record: DiskRecord, _ world: CrashWorld) {
        let model = DiskModel(record, steps: record.steps.count)
        let tree = PowerCut.cut(.kept, .kept, seed: 0).tree(model)
        let made = TestFolder(below: CrashWorld.memory)
        tree.make(in: made.path)
        let differences = Self.differences(made.path, world.place.path)
        #expect(differences == [], "the record does not tell everything")
    }

    private static func differences(_ one: String, _ other: String) -> [String] {
        let (names, others) = (TestFolder.names(in: one), TestFolder.names(in: other))
        if names != others { return ["\(one): \(names) and \(others)"] }
        return names.flatMap { name -> [String] in
            let (inner, same) = ("\(one)/\(name)", "\(other)/\(name)")
            guard let bytes = PlainFile.read(inner) else { return differences(inner, same) }
            return PlainFile.read(same)?.isSame(as: bytes) == true ? [] : ["\(inner)"]
        }
    }
}
