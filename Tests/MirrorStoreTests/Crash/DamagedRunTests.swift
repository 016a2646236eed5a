// Damage that no loss of power should do and disks do all the same: the next run still brings the right bytes.

import Glibc
import Testing

@testable import MirrorStore

@Suite struct DamagedRunTests {
    enum Damage: String, Sendable, CaseIterable {
        case truncated, zeroed, garbage, missingLog, foreignLog, zeroedLog, tornLog, zeroedPartial, missingPartial

        /// - Parameter other: the log of another state.
        func apply(to folder: String, other: [UInt8]) {
            let state = "\(folder)/mirror/.mirror/state.sqlite"
            let (bytes, log) = (PlainFile.read(state) ?? [], PlainFile.read(state + "-wal") ?? [])
            switch self {
            case .truncated: PlainFile.write(Array(bytes.prefix(bytes.count / 2 + 100)), to: state)
            case .zeroed: PlainFile.write([UInt8](repeating: 0, count: bytes.count), to: state)
            case .garbage: PlainFile.write(pattern(bytes.count), to: state)
            case .missingLog: unlink(state + "-wal")
            case .foreignLog: PlainFile.write(other, to: state + "-wal")
            case .zeroedLog: PlainFile.write([UInt8](repeating: 0, count: log.count), to: state + "-wal")
            case .tornLog: PlainFile.write(Array(log.prefix(log.count * 2 / 3)), to: state + "-wal")
            case .zeroedPartial, .missingPartial:
                let partials = "\(folder)/mirror/.mirror/partial"
                for name in TestFolder.names(in: partials) {
                    let count = PlainFile.read("\(partials)/\(name)")?.count ?? 0
                    if self == .missingPartial {
                        unlink("\(partials)/\(name)")
                    } else {
                        PlainFile.write([UInt8](repeating: 0, count: count), to: "\(partials)/\(name)")
                    }
                }
            }
        }
    }

    @Test(arguments: Damage.allCases) func `the next run is right`(damage: Damage) async throws {
        let world = try CrashWorld()
        world.serve("large.bin", 5 << 20, seed: 1)
        for number in 0..<3 { world.serve("\(number).bin", 5000, seed: UInt64(number + 2)) }
        try await world.sync()
        for number in 0..<3 { world.serve("\(number).bin", 5000, version: 2, seed: UInt64(number + 12)) }
        world.serve("large.bin", 5 << 20, version: 2, seed: 11)
        let record = try await world.record()
        let stranger = try CrashWorld()
        for number in 0..<3 { stranger.serve("\(number).bin", 5000, seed: UInt64(number + 22)) }
        let other = try await stranger.record()
        let log = PowerCut.cut(.kept, .kept, seed: 0).tree(DiskModel(other, steps: other.steps.count * 2 / 3))
            .bytes("mirror/.mirror/state.sqlite-wal")
        for part in 1..<8 {
            let tree = PowerCut.cut(.kept, .kept, seed: 0).tree(DiskModel(record, steps: record.steps.count * part / 8))
            let place = TestFolder(below: CrashWorld.memory)
            tree.make(in: place.path)
            damage.apply(to: place.path, other: try #require(log))
            let report = try await world.sync(in: place.path)
            #expect(report.run.exitCode == .inLine)
            #expect(CrashCheck(world: world, folder: place.path).faultsAfterRun() == [], "at \(part) of 8")
        }
    }
}

extension DiskModel {
    /// After so many steps of a record.
    init(_ record: DiskRecord, steps: Int) {
        self.init(record.start)
        for step in record.steps.prefix(steps) { apply(step) }
    }
}
