import Glibc
import MirrorCore
import Testing

@testable import MirrorStore

@Suite struct LockTests {
    @Test func secondRunIsRefused() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        await #expect(throws: StoreProblem.locked) { try await Store.open(directory: folder.path) }
        try await store.place("a", [1])
        await store.close()
        let again = try await Store.open(directory: folder.path)
        await again.close()
    }

    @Test func waitingForTheLock() async throws {
        let folder = TestFolder()
        let log = CallLog()
        let store = try await Store.open(directory: folder.path)
        // The first attempt is refused, and then the other run ends.
        async let second = Store.open(directory: folder.path, waitForLock: .seconds(60), calls: log.calls)
        while !log.seen.contains(where: { if case .lock = $0 { true } else { false } }) { await Task.yield() }
        await store.close()
        try await second.close()
    }

    @Test func waitingIsGivenUp() async throws {
        let folder = TestFolder()
        let store = try await Store.open(directory: folder.path)
        await #expect(throws: StoreProblem.locked) {
            try await Store.open(directory: folder.path, waitForLock: .milliseconds(1))
        }
        await store.close()
    }

    @Test func storeThatIsLetGo() async throws {
        let folder = TestFolder()
        do {
            let store = try await Store.open(directory: folder.path)
            try await store.place("a", [1])
        }
        let again = try await Store.open(directory: folder.path, waitForLock: .seconds(60))
        #expect(try again.localFacts(for: LocalPath("a")).validRecord != nil)
        await again.close()
        await again.close()
        await #expect(throws: Failure.self) { try await again.place("b", [1]) }
        #expect(
            await again.recordRun(
                RunRecord(id: "", started: HTTPDate(seconds: 0), finished: HTTPDate(seconds: 0), exitCode: 0)) != nil)
    }

    private struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: CallLog.Rule
        let code: FailureCode
    }

    private static let cases: [Case] = [
        Case(
            testDescription: "not writable", rule: { if case .access = $0 { .fail(EACCES) } else { nil } },
            code: .permission),
        Case(
            testDescription: "read-only",
            rule: { if case .makeFolder(".mirror", _, _) = $0 { .fail(EROFS) } else { nil } },
            code: .permission),
        Case(
            testDescription: "full", rule: { if case .makeFolder("partial", _, _) = $0 { .fail(ENOSPC) } else { nil } },
            code: .diskFull),
        Case(
            testDescription: "lock", rule: { if case .lock = $0 { .fail(ENOLCK) } else { nil } }, code: .io),
    ]

    @Test(arguments: cases) private func directoryThatCannotBeUsed(_ item: Case) async throws {
        let folder = TestFolder()
        let log = CallLog()
        log.setRule(item.rule)
        do {
            let store = try await Store.open(directory: folder.path, calls: log.calls)
            await store.close()
            Issue.record("it was opened")
        } catch .unusable(let failure) {
            #expect(failure.code == item.code)
        } catch {
            Issue.record("\(error)")
        }
        log.setRule(nil)
        // Nothing is left that would keep the next run out.
        let store = try await Store.open(directory: folder.path)
        await store.close()
    }

    @Test func stateFolderThatLeadsElsewhere() async throws {
        let folder = TestFolder()
        folder.makeFolder("elsewhere")
        folder.link(".mirror", to: "elsewhere")
        await #expect(throws: StoreProblem.unusable(.leadsOutside)) { try await Store.open(directory: folder.path) }
        #expect(folder.names("elsewhere").isEmpty)
    }
}
