import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct PartialFileTests {
    @Test func writingAndReading() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write([3, 4], at: 2)
        try partial.write([1, 2], at: 0)
        try partial.write([], at: 0)
        #expect(try partial.bytes(count: 10) == [1, 2, 3, 4])
        let names = folder.names(".mirror/partial")
        #expect(names.count == 1)
        #expect(names.first?.utf8.count == 41)
        #expect(folder.names() == [".mirror"])
        #expect(folder.status(".mirror")?.st_mode == S_IFDIR | 0o700)
        await store.close()
    }

    @Test func offsetsThatAreNone() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let partial = try store.makePartial(for: LocalPath("a"))
        for offset in [-1, Int64.min, Int64.max, Int64.max - 1] {
            #expect(throws: Failure.self) { try partial.write([1, 2], at: offset) }
        }
        #expect(throws: Failure.self) { try partial.write([1], at: 1 << 60) }
        await store.close()
    }

    @Test func interruptedAndShortWrites() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let partial = try store.makePartial(for: LocalPath("a"))
        let bytes = pattern(100_000)
        log.forget()
        log.setRule { [log] call in
            guard case .write = call else { return nil }
            // Every other call is interrupted, the others write 30,000 bytes.
            return log.seen.count % 2 == 1 ? .fail(EINTR) : .limit(30_000)
        }
        try partial.write(bytes, at: 0)
        // The file is made, and four writes do the work with three interruptions.
        #expect(log.seen.count == 8)
        log.setRule(nil)
        #expect(try partial.bytes(count: 200_000) == bytes)
        let order = SealOrder(partial: partial, size: 100_000, modified: nil, record: .sample)
        _ = try await store.seal(order).get()
        #expect(folder.read("a") == bytes)
        await store.close()
    }

    @Test func fullDiskInAWrite() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write(pattern(100), at: 0)
        log.forget()
        log.setRule { [log] call in
            guard case .write = call else { return nil }
            return log.seen.count > 1 ? .fail(ENOSPC) : .limit(10)
        }
        #expect(throws: SystemError(ENOSPC).failure) { try partial.write([UInt8](repeating: 1, count: 50), at: 0) }
        log.setRule(nil)
        // Ten bytes are new: no sum may stand that was learnt before.
        #expect(partial.sum(of: 0, total: 100) == nil)
        #expect(throws: Never.self) { try partial.write(pattern(100), at: 0) }
        #expect(partial.sum(of: 0, total: 100) != nil)
        await store.close()
    }

    @Test func failureToMake() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let large = try store.makePartial(for: LocalPath("large"))
        let small = try store.makePartial(for: LocalPath("small"))
        try small.write([1], at: 0)
        log.setRule { if case .open = $0 { .fail(ENOSPC) } else { nil } }
        #expect(throws: SystemError(ENOSPC).ofDirectory.failure) { try large.write(pattern(40_000), at: 0) }
        let order = SealOrder(partial: small, size: 1, modified: nil, record: .sample)
        #expect(await store.seal(order) == .failure(SystemError(ENOSPC).ofDirectory.failure))
        log.setRule(nil)
        // Nothing was lost: there is room again.
        #expect(try await store.seal(order).get().size == 1)
        await store.close()
    }

    /// The first bytes are in memory until they are on disk, not until somebody tried.
    @Test(arguments: [EIO, ENOSPC]) func failureOfTheFirstWrite(_ code: Int32) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let bytes = pattern(40_000)
        let large = try store.makePartial(for: LocalPath("large"))
        let small = try store.makePartial(for: LocalPath("small"))
        try large.write(bytes.prefix(30_000), at: 0)
        try small.write(bytes.prefix(100), at: 0)
        log.setRule { if case .write = $0 { .fail(code) } else { nil } }
        #expect(throws: SystemError(code).failure) { try large.write(bytes.dropFirst(30_000), at: 30_000) }
        #expect(await store.checkpoint(small, record: .sample([(0, 100)], total: 200)) == SystemError(code).failure)
        let order = SealOrder(partial: small, size: 100, modified: nil, record: .sample)
        #expect(await store.seal(order) == .failure(SystemError(code).failure))
        #expect(folder.names(".mirror/partial").isEmpty)
        #expect(try small.bytes(count: 200) == Array(bytes.prefix(100)))
        log.setRule(nil)
        try large.write(bytes.dropFirst(30_000), at: 30_000)
        #expect(try large.bytes(count: 50_000) == bytes)
        #expect(try await store.seal(order).get().size == 100)
        #expect(folder.read("small") == Array(bytes.prefix(100)))
        await store.close()
    }

    @Test func startingAgain() async throws {
        let folder = TestFolder()
        var store = try await Store.open(directory: folder.path)
        let path = try LocalPath("a")
        let partial = try store.makePartial(for: path)
        try partial.write([1, 2, 3], at: 0)
        #expect(await store.checkpoint(partial, record: .sample([(0, 3)], total: 5)) == nil)
        try partial.reset()
        #expect(try partial.bytes(count: 9) == [])
        try partial.write([9], at: 0)
        // A process that is killed now may leave the record of the old bytes: it must not speak of the new ones.
        let killed = TestFolder()
        folder.copyState(to: killed)
        await store.settle()
        #expect(folder.names(".mirror/partial").isEmpty)
        #expect(store.localFacts(for: path).partial == nil)
        await store.close()
        store = try await Store.open(directory: killed.path)
        if let record = store.localFacts(for: path).partial {
            #expect(try store.openPartial(for: path, record: record).bytes(count: 9) == [1, 2, 3])
        }
        // Of the two files, the one that no record names is gone.
        #expect(killed.names(".mirror/partial").count == (store.localFacts(for: path).partial == nil ? 0 : 1))
        await store.close()
    }

    @Test(arguments: [false, true]) func startingAgainDuringACheckpoint(_ wasRecorded: Bool) async throws {
        let folder = TestFolder()
        let log = CallLog()
        var store = try await Store.open(directory: folder.path, calls: log.calls)
        let path = try LocalPath("a")
        let partial = try store.makePartial(for: path)
        try partial.write(pattern(50_000), at: 0)
        if wasRecorded {
            #expect(await store.checkpoint(partial, record: .sample([(0, 100)], total: 60_000)) == nil)
        }
        log.setRule { [log] call in
            guard case .dataSync = call else { return nil }
            log.setRule(nil)
            // The new file is as long as the old one, and has not one byte of it.
            #expect(throws: Never.self) {
                try partial.reset()
                try partial.write([7], at: 49_999)
            }
            return nil
        }
        #expect(await store.checkpoint(partial, record: .sample([(0, 50_000)], total: 60_000)) == nil)
        let new = partial.name
        let killed = TestFolder()
        folder.copyState(to: killed)
        await store.settle()
        #expect(store.partialRecords.isEmpty)
        #expect(folder.names(".mirror/partial") == [new])
        // The next checkpoint is one of the new file.
        #expect(await store.checkpoint(partial, record: .sample([(49_999, 50_000)], total: 60_000)) == nil)
        #expect(store.partialRecord(of: path)?.file == new)
        await store.close()

        store = try await Store.open(directory: killed.path)
        #expect(store.partialRecord(of: path)?.file != new)
        #expect(store.partialRecord(of: path).map(\.record) != .sample([(0, 50_000)], total: 60_000))
        await store.close()
    }

    @Test func checkpointOfAnEarlierBeginning() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write([1, 2, 3], at: 0)
        let claim = partial.claim(.sample([(0, 3)], total: 5))
        #expect(partial.name(since: claim.beginning) == claim.stored.file)
        try partial.reset()
        try partial.write([9], at: 0)
        #expect(try partial.settle(since: claim.beginning) == nil)
        #expect(partial.name(since: claim.beginning) == nil)
        #expect(folder.names(".mirror/partial").isEmpty)
        #expect(try partial.settle(since: partial.claim(.sample([], total: 5)).beginning) == partial.file)
        await store.close()
    }

    @Test func checkpointOrder() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let path = try LocalPath("a")
        let partial = try store.makePartial(for: path)
        try partial.write([1, 2, 3], at: 0)
        log.forget()
        #expect(await store.checkpoint(partial, record: .sample([(0, 3)], total: 5)) == nil)
        #expect(log.changes == ["create", "write", "dataSync", "transaction"])
        log.setRule { if case .dataSync = $0 { .fail(EIO) } else { nil } }
        #expect(await store.checkpoint(partial, record: .sample([(0, 4)], total: 5)) == SystemError(EIO).failure)
        log.setRule { if case .transaction = $0 { .fail(ENOSPC) } else { nil } }
        #expect(await store.checkpoint(partial, record: .sample([(0, 4)], total: 5))?.code == .diskFull)
        log.setRule(nil)
        // What was not brought to the disk is not claimed.
        #expect(store.localFacts(for: path).partial == .sample([(0, 3)], total: 5))
        await store.close()
    }

    @Test func droppingAndDiscarding() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let path = try LocalPath("a")
        for isDiscarded in [false, true] {
            let partial = try store.makePartial(for: path)
            try partial.write([1, 2, 3], at: 0)
            #expect(await store.checkpoint(partial, record: .sample([(0, 3)], total: 5)) == nil)
            if isDiscarded { store.discard(partial) } else { store.drop(path) }
            await store.settle()
            #expect(store.localFacts(for: path).partial == nil)
            #expect(folder.names(".mirror/partial").isEmpty)
        }
        // A new partial file takes the place of the recorded one, whatever comes first.
        let old = try store.makePartial(for: path)
        try old.write([1], at: 0)
        #expect(await store.checkpoint(old, record: .sample([(0, 1)], total: 5)) == nil)
        let new = try store.makePartial(for: path)
        try new.write([2], at: 0)
        await store.settle()
        #expect(store.localFacts(for: path).partial == nil)
        #expect(try new.bytes(count: 5) == [2])
        #expect(folder.names(".mirror/partial").isEmpty)
        #expect(throws: Failure.self) { try store.openPartial(for: path, record: .sample([(0, 1)], total: 5)) }
        await store.close()
    }

    /// Few bytes stay in memory until they have to be on disk; the file is the same wherever the line is crossed.
    @Test(arguments: [[32 << 10], [(32 << 10) + 1], [1, 32 << 10], [100, 100], [20_000, 20_000, 20_000]])
    func madeLate(_ counts: [Int]) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let partial = try store.makePartial(for: LocalPath("a"))
        let bytes = pattern(counts.reduce(0, +))
        log.forget()
        var offset = 0
        for count in counts {
            try partial.write(Array(bytes[offset..<offset + count]), at: Int64(offset))
            offset += count
        }
        #expect(log.seen.isEmpty == (bytes.count <= 32 << 10))
        #expect(try partial.bytes(count: bytes.count + 1) == bytes)
        let order = SealOrder(partial: partial, size: Int64(bytes.count), modified: nil, record: .sample)
        _ = try await store.seal(order).get()
        #expect(folder.read("a") == bytes)
        #expect(try store.blockSums(of: LocalPath("a")) == [bytes.withUnsafeBytes { BlockSums.sum(of: $0) }])
        await store.close()
    }

    @Test func bytesBehindAHoleAreNotKeptInMemory() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write([1, 2], at: 0)
        try partial.write([5], at: 4)
        try partial.write([3, 4], at: 2)
        let order = SealOrder(partial: partial, size: 5, modified: nil, record: .sample)
        _ = try await store.seal(order).get()
        #expect(folder.read("a") == [1, 2, 3, 4, 5])
        await store.close()
    }
}
