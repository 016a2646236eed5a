// Power is lost at every step of a run: what is on the disk then must be true, and the next run must make it right.

import Glibc
import MirrorTestSupport
import Testing

@testable import MirrorStore

@Suite struct CrashTests {
    /// Cuts the run at every step, and says how much that was.
    private func drill(_ world: CrashWorld) async throws {
        let record = try await world.record()
        CrashDrill.expectComplete(record, world)
        var drill = CrashDrill()
        try await drill.run(record, of: world)
        #expect(drill.faults == [])
        if CrashDrill.isThorough { print("\(Test.current?.name ?? ""): \(drill.steps) steps, \(drill.trees) trees") }
        // What was said to be done is safe without any more help.
        let model = DiskModel(record, steps: record.steps.count)
        let tree = PowerCut.cut(.lost, .lost, seed: 0).tree(model)
        for (path, body) in world.bodies {
            #expect(tree.bytes("mirror/\(path)")?.isSame(as: body) == true, "\(path) was done, and is not safe")
        }
        for (path, body) in world.unnamed {
            #expect(tree.bytes("mirror/\(path)") == nil, "\(path) was removed, and may come back")
            let isKept = tree.bytes("backup/\(path)")?.isSame(as: body) == true
            #expect(isKept == world.keepsRemoved, "\(path) was kept, and is not safe")
        }
    }

    @Test func `small files that are sealed together`() async throws {
        let world = try CrashWorld()
        for number in 0..<12 { world.serve("\(number).bin", Int64(number * 3000), seed: UInt64(number + 1)) }
        try await drill(world)
    }

    @Test func `files in folders`() async throws {
        let world = try CrashWorld()
        for number in 0..<12 { world.serve("\(number % 3)/a/\(number).bin", 5000, seed: UInt64(number + 1)) }
        try await drill(world)
    }

    @Test func `a large file in ranges`() async throws {
        let world = try CrashWorld()
        world.serve("large.bin", 3 << 20, seed: 1)
        try await drill(world)
    }

    @Test func `a partial file that is gone on with`() async throws {
        let world = try CrashWorld()
        world.serve("large.bin", 2 << 20, seed: 1, cut: 1_200_000)
        // One stream, for another would get the bytes behind the cut.
        world.change = {
            $0.retries = 0
            $0.split = 1
        }
        try await world.sync()
        world.change = { $0.retries = 0 }
        #expect(TestFolder.names(in: "\(world.place.path)/mirror/.mirror/partial").count == 1)
        world.serve("large.bin", 2 << 20, seed: 1)
        try await drill(world)
    }

    @Test func `a partial file of another version`() async throws {
        let world = try CrashWorld()
        world.serve("large.bin", 2 << 20, seed: 1, cut: 1_200_000)
        // One stream, for another would get the bytes behind the cut.
        world.change = {
            $0.retries = 0
            $0.split = 1
        }
        try await world.sync()
        world.change = { $0.retries = 0 }
        world.serve("large.bin", 2 << 20, version: 2, seed: 2)
        try await drill(world)
    }

    @Test func `files that are replaced`() async throws {
        let world = try CrashWorld()
        for number in 0..<4 { world.serve("\(number).bin", Int64(20_000 * number + 10), seed: UInt64(number + 1)) }
        world.serve("large.bin", 1 << 20, seed: 9)
        try await world.sync()
        for number in 0..<4 {
            world.serve("\(number).bin", Int64(20_000 * number + 10), version: 2, seed: UInt64(number + 20))
        }
        world.serve("large.bin", 1 << 20, version: 2, seed: 10)
        try await drill(world)
    }

    @Test func `files that are deleted and fetched again`() async throws {
        let world = try CrashWorld()
        world.serve("long.bin", 100_000, seed: 1)
        world.serve("folder/long.bin", 1_200_000, seed: 2)
        world.put("long.bin", pattern(150_000))
        world.put("folder/long.bin", pattern(1_250_000))
        try await drill(world)
    }

    @Test(arguments: ["short.bin", "folder/short.bin"])
    func `a short file that is taken over`(path: String) async throws {
        let world = try CrashWorld()
        world.serve(path, 1 << 20, seed: 1)
        world.put(path, try #require(world.bodies[path]).prefix(400_000))
        try await drill(world)
    }

    @Test func `files that go to another file system`() async throws {
        let world = try CrashWorld()
        world.serve("small.bin", 10_000, seed: 1)
        world.serve("folder/large.bin", 1 << 20, seed: 2)
        world.rule = { call in
            guard case .rename(_, let from, _, let to, _) = call, from != to else { return nil }
            return .fail(EXDEV)
        }
        try await drill(world)
    }

    @Test(arguments: [(false, false), (true, false), (true, true)])
    func `files that are removed, and those that are kept elsewhere`(keeps: Bool, isFar: Bool) async throws {
        let world = try CrashWorld()
        world.serve("stays.bin", 3_000, seed: 1)
        world.serve("gone.bin", 20_000, seed: 2)
        world.serve("folder/gone.bin", 5_000, seed: 3)
        world.serve("folder/deep/gone.bin", 0, seed: 4)
        world.serve("folder/deep/large.bin", 1_200_000, seed: 5)
        try await world.sync()
        for path in world.bodies.keys where path != "stays.bin" { world.forget(path) }
        world.keepsRemoved = keeps
        if isFar {
            world.rule = { call in
                guard case .rename(_, let from, _, let to, _) = call, from != to else { return nil }
                return .fail(EXDEV)
            }
        }
        try await drill(world)
    }
}
