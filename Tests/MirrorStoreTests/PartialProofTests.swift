// After a new start of the machine: partial files are read again, each when it is needed, and those that do not hold
// what was recorded are dropped.

import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct PartialProofTests {
    private static let block = Int64(BlockSums.blockSize)
    private static let total = 5 * block

    private func calls(_ log: CallLog, _ start: String) -> SystemCalls {
        SystemCalls(observer: log, machineStart: start)
    }

    /// A DIR with partial files, written since the first start: «a» and «b» of two blocks and a half.
    private func prepare(_ log: CallLog) async throws -> (TestFolder, PartialRecord) {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path, calls: calls(log, "first"))
        let record = PartialRecord.sample([(0, Self.block * 5 / 2)], total: Self.total)
        for name in ["a", "b"] {
            let partial = try store.makePartial(for: LocalPath(name))
            try partial.write(pattern(Int(Self.block * 5 / 2)), at: 0)
            #expect(await store.checkpoint(partial, record: record) == nil)
            partial.close()
        }
        await store.close()
        log.forget()
        return (folder, record)
    }

    private func reads(_ log: CallLog) -> Int { log.seen.count { if case .read = $0 { true } else { false } } }

    @Test func eachIsReadWhenItIsNeeded() async throws {
        let log = CallLog()
        let (folder, record) = try await prepare(log)
        let (a, b) = (try LocalPath("a"), try LocalPath("b"))
        let store = try await Store.open(directory: folder.path, calls: calls(log, "second"))
        #expect(reads(log) == 0)
        #expect(throws: Failure.self) { try store.openPartial(for: a, record: record) }
        #expect(await store.holdsPartial(of: a, provesGaps: true))
        #expect(reads(log) == 2)
        #expect(await store.holdsPartial(of: a, provesGaps: true))
        #expect(reads(log) == 2)
        _ = try store.openPartial(for: a, record: record)
        await store.close()
        // One is still to be proved: the machine's start is not noted.
        let again = try await Store.open(directory: folder.path, calls: calls(log, "second"))
        #expect(throws: Failure.self) { try again.openPartial(for: a, record: record) }
        #expect(await again.holdsPartial(of: b, provesGaps: true))
        again.drop(a)
        await again.close()
        let last = try await Store.open(directory: folder.path, calls: calls(log, "second"))
        _ = try last.openPartial(for: b, record: record)
        await last.close()
    }

    @Test(arguments: [false, true]) func otherBytesAreDropped(isLook: Bool) async throws {
        let log = CallLog()
        let (folder, _) = try await prepare(log)
        for name in folder.names(".mirror/partial") {
            let file = open("\(folder.path)/.mirror/partial/\(name)", O_WRONLY)
            _ = [UInt8](repeating: 0, count: 10).withUnsafeBytes { pwrite(file, $0.baseAddress, 10, 1_500_000) }
            close(file)
        }
        let calls = calls(log, "second")
        let store =
            isLook
            ? try Store.inspect(directory: folder.path, calls: calls)
            : try await Store.open(directory: folder.path, calls: calls)
        let path = try LocalPath("a")
        #expect(await !store.holdsPartial(of: path, provesGaps: true))
        await store.settle()
        #expect((store.localFacts(for: path).partial == nil) == !isLook)
        #expect(folder.names(".mirror/partial").count == (isLook ? 2 : 1))
        await store.close()
    }

    @Test func cancelledIsNotDropped() async throws {
        let log = CallLog()
        let (folder, record) = try await prepare(log)
        let store = try await Store.open(directory: folder.path, calls: calls(log, "second"))
        let path = try LocalPath("a")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await store.holdsPartial(of: path, provesGaps: true)
        }
        #expect(await !task.value)
        #expect(reads(log) == 0)
        await store.settle()
        #expect(store.localFacts(for: path).partial == record)
        await store.close()
    }

    /// Nobody has a sum of them: they are believed where the server proves them, before a gap.
    @Test(
        arguments: [
            ([(0, 1000)], true, true), ([(0, 1000)], false, false), ([(0, 1000), (2000, 9000)], true, false),
            ([(500, 9000)], true, false), ([(500, 1000), (2000, 8999)], true, true),
        ] as [([(Int64, Int64)], Bool, Bool)])
    func withoutSums(_ ranges: [(Int64, Int64)], _ provesGaps: Bool, _ holds: Bool) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let path = try LocalPath("a")
        let first = try await Store.open(directory: folder.path, calls: calls(log, "first"))
        let partial = try first.makePartial(for: path)
        try partial.write(pattern(9000), at: 0)
        #expect(await first.checkpoint(partial, record: .sample(ranges, total: 9000)) == nil)
        partial.close()
        await first.close()
        let store = try await Store.open(directory: folder.path, calls: calls(log, "second"))
        #expect(await store.holdsPartial(of: path, provesGaps: provesGaps) == holds)
        await store.settle()
        #expect((store.localFacts(for: path).partial != nil) == holds)
        await store.close()
    }
}
