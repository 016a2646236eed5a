// What is said of a sealed file is what the disk says at the end, and nothing is replaced that the plan has not seen.

import Glibc
import MirrorCore
import MirrorThreads
import Testing

@testable import MirrorStore

@Suite struct SealedFileTests {
    private static let time = HTTPDate(seconds: 784_111_777)

    /// What somebody else does to a file that has just got its name.
    enum Meddling: CaseIterable {
        case shortens, lengthens, removes, replaces, replacesByFolder, replacesByLink, writesOver, touches

        func happen(to path: String) {
            switch self {
            case .shortens: truncate(path, 50)
            case .lengthens: truncate(path, 5000)
            case .removes: unlink(path)
            case .replaces, .writesOver:
                if self == .replaces { unlink(path) }
                let file = Glibc.open(path, O_WRONLY | O_CREAT, 0o644)
                let bytes = [UInt8](repeating: 7, count: 100)
                _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                Glibc.close(file)
            case .replacesByFolder:
                unlink(path)
                mkdir(path, 0o755)
            case .replacesByLink:
                unlink(path)
                symlink("/dev/null", path)
            case .touches: utimensat(AT_FDCWD, path, nil, 0)
            }
        }

        /// Nil where it is still the file that was put there, as far as can be told without reading it.
        var code: FailureCode? {
            switch self {
            case .shortens, .lengthens: .sizeMismatch
            case .removes, .replaces, .replacesByFolder, .replacesByLink: .conflict
            case .writesOver, .touches: nil
            }
        }
    }

    /// C175: something else is at work on the file between its rename and the end.
    @Test(arguments: Meddling.allCases, [1, 20])
    func reportIsWhatTheDiskSays(_ meddling: Meddling, _ count: Int) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let isNamed = Locked(false)
        let path = folder.path
        log.setRule { call in
            switch call {
            case .rename(_, _, "0", _, _): isNamed.withLock { $0 = true }
            case .sync where isNamed.withLock({ $0 }), .syncFileSystem where isNamed.withLock({ $0 }):
                meddling.happen(to: "\(path)/0")
                isNamed.withLock { $0 = false }
            default: break
            }
            return nil
        }
        let orders = try (0..<count).map { index in
            // Many folders share one sync.
            let partial = try store.makePartial(for: LocalPath(index == 0 ? "0" : "d\(index)/\(index)"))
            try partial.write(pattern(100), at: 0)
            return SealOrder(partial: partial, size: 100, modified: Self.time, record: .sample)
        }
        let batch = SealBatch(
            orders, root: try #require(store.root), partials: try #require(orders.first).partial.folder,
            calls: log.calls)
        batch.run()
        #expect(batch.seals[0].failure?.code == meddling.code)
        if meddling.code != nil { #expect(batch.seals[0].file == nil && !batch.seals[0].isNamed) }
        #expect(batch.seals.dropFirst().allSatisfy { $0.failure == nil && $0.file?.size == 100 })
        await store.close()
    }

    @Test func whatIsGoneIsNotRecorded() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let path = folder.path
        log.setRule { call in
            if case .sync = call { unlink("\(path)/a") }
            return nil
        }
        await #expect(throws: Failure.goneAtOnce) { try await store.place("a", [1, 2, 3]) }
        #expect(try store.localFacts(for: LocalPath("a")).record == nil)
        log.setRule(nil)
        try await store.place("a", [1, 2, 3])
        #expect(try store.localFacts(for: LocalPath("a")).record?.size == 3)
        await store.close()
    }

    /// C063: a file with a hole has the right size.
    @Test(arguments: [[(0, 4), (5, 10)], [(1, 10)], [(0, 9)], [], [(0, 11)]] as [[(Int64, Int64)]])
    func unionOfRangesIsTheWholeFile(_ ranges: [(Int64, Int64)]) async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write([UInt8](repeating: 0, count: 10), at: 0)
        let have = RangeSet(ranges.compactMap { ByteRange(first: $0.0, end: $0.1) })
        let order = SealOrder(
            partial: partial, size: 10, have: have, planned: nil, modified: nil, record: .sample)
        #expect(await store.seal(order) == .failure(.truncated(received: have.count, expected: 10)))
        #expect(folder.names() == [".mirror"])
        await store.close()
    }

    /// What the plan saw under the name, and what is there when the new file is complete.
    private struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let planned: [UInt8]?
        let found: [UInt8]?
        let failure: Failure?
    }

    private static let cases = [
        Case(testDescription: "nothing, nothing", planned: nil, found: nil, failure: nil),
        Case(testDescription: "nothing, a file", planned: nil, found: [8], failure: .nameTaken),
        Case(testDescription: "a file, the same", planned: [8], found: [8], failure: nil),
        Case(testDescription: "a file, none", planned: [8], found: nil, failure: nil),
        Case(testDescription: "a file, another", planned: [8], found: [8, 8], failure: .localFileChanged),
    ]

    /// On every way that leads to the name: the usual one, where a rename cannot keep from replacing, and across file
    /// systems.
    @Test(arguments: cases, [0, EINVAL, EXDEV]) private func onlyWhatWasPlanned(_ item: Case, _ code: Int32)
        async throws
    {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        var planned: LocalFile?
        if let bytes = item.planned {
            folder.write("a", bytes)
            planned = try store.root?.inspect(LocalPath("a"))
        }
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write([1, 2, 3], at: 0)
        if let bytes = item.found {
            if bytes != item.planned { folder.write("a", bytes) }
        } else {
            unlink("\(folder.path)/a")
        }
        log.setRule {
            guard code != 0, case .rename(_, let from, _, let to, let replaces) = $0 else { return nil }
            return code == EXDEV ? (from == to ? nil : .fail(EXDEV)) : (replaces ? nil : .fail(EINVAL))
        }
        let order = SealOrder(partial: partial, size: 3, planned: planned, modified: nil, record: .sample)
        let result = await store.seal(order)
        if let failure = item.failure {
            #expect(result == .failure(failure))
            #expect(folder.read("a") == item.found)
        } else {
            #expect(try result.get().size == 3)
            #expect(folder.read("a") == [1, 2, 3])
        }
        #expect(folder.names().filter { $0 != ".mirror" } == ["a"])
        await store.close()
    }

    /// C175: copying to another file system takes its time, and somebody puts a file under the name meanwhile.
    @Test(arguments: [nil, [8]] as [[UInt8]?], [0, EINVAL])
    func fileThatAppearsDuringTheCopy(_ planned: [UInt8]?, _ code: Int32) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        var seen: LocalFile?
        if let planned {
            folder.write("a", planned)
            seen = try store.root?.inspect(LocalPath("a"))
        }
        let partial = try store.makePartial(for: LocalPath("a"))
        try partial.write([1, 2, 3], at: 0)
        log.setRule { call in
            switch call {
            case .copy: folder.write("a", [6, 6])
            case .rename(_, let from, _, let to, _) where from != to: return .fail(EXDEV)
            case .rename(_, _, _, _, false) where code != 0: return .fail(code)
            default: break
            }
            return nil
        }
        let order = SealOrder(partial: partial, size: 3, planned: seen, modified: nil, record: .sample)
        #expect(await store.seal(order) == .failure(planned == nil ? .nameTaken : .localFileChanged))
        #expect(folder.read("a") == [6, 6])
        #expect(folder.names() == [".mirror", "a"])
        #expect(folder.names(".mirror/partial").count == 1)
        await store.close()
    }

    @Test(
        "C089 C090 where two names are one file, the second entry finds the first one's",
        arguments: [("README", "readme"), ("\u{E9}", "e\u{301}")])
    func secondOfTwoNamesForOneFile(_ names: (String, String)) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        try await store.place(names.0, [1, 2, 3])
        // Such a volume, as far as the second name is concerned.
        link("\(folder.path)/\(names.0)", "\(folder.path)/\(names.1)")
        let partial = try store.makePartial(for: LocalPath(names.1))
        try partial.write([9], at: 0)
        let order = SealOrder(partial: partial, size: 1, modified: nil, record: .sample)
        #expect(await store.seal(order) == .failure(.nameTaken))
        #expect(folder.read(names.0) == [1, 2, 3])
        await store.close()
    }

    /// FUSE and old CIFS: a folder cannot be synced. That is no reason not to have the file.
    @Test(arguments: [EINVAL, ENOSYS, EOPNOTSUPP]) func folderThatCannotBeSynced(_ code: Int32) async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        log.setRule { if case .sync = $0 { .fail(code) } else { nil } }
        try await store.place("a", [1, 2, 3])
        #expect(folder.read("a") == [1, 2, 3])
        await store.close()
    }

    /// Nothing written, and no error: to try again would be to try for ever.
    @Test func writeOfNothing() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path, calls: log.calls)
        let partial = try store.makePartial(for: LocalPath("a"))
        log.setRule { if case .write = $0 { .limit(0) } else { nil } }
        #expect(throws: SystemError(ENOSPC).failure) { try partial.write(pattern(40_000), at: 0) }
        log.setRule { if case .append = $0 { .limit(0) } else { nil } }
        let report = try store.reportFile()
        try report.append("text")
        #expect(throws: SystemError(ENOSPC).failure) { try report.commit() }
        await store.close()
    }
}
