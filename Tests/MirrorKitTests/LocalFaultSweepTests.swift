// Every system call of a run, failing in every way: nothing crashes or hangs, nothing is lost, and what is said is true.

import Glibc
import MirrorKit
import MirrorStore
import MirrorTestSupport
import Testing

/// A folder that takes part of every kind of work of a run, ready to be copied.
private final class MixedSite: Sendable {
    let site: SyncFixture
    /// The folder as it is before the run.
    let original: String

    static let big = Body.sized(600_000, seed: 40)
    static let files: [(path: String, body: Body)] =
        (0..<12).map { ("small\($0)", .sized(Int64(100 + $0 * 700), seed: UInt64($0 + 1))) }
        + [
            ("a/b/c/nested", .sized(3_000, seed: 41)), ("a/d/nested", .sized(50_000, seed: 42)),
            ("empty", .bytes([])), ("big", big), ("resumed", .sized(400_000, seed: 43)),
            ("short", .sized(300_000, seed: 44)), ("replaced", .sized(70_000, seed: 45)),
            ("longer", .sized(5_000, seed: 46)), ("same", .sized(4_000, seed: 47)),
        ]
    static let old: [String: Body] = ["replaced": .sized(60_000, seed: 50), "longer": .sized(9_000, seed: 51)]

    init() async throws {
        site = try SyncFixture(below: "/dev/shm")
        original = "\(site.folder)/original"
        try await prepare()
        site.rename(site.directory, to: original)
        for (path, body) in Self.files { site.origin.serve("/\(path)", .plain(body, version: 2)) }
    }

    private func prepare() async throws {
        // Fetched by an earlier run: one that will change, one that stays.
        site.origin.serve("/replaced", .plain(Self.old["replaced"] ?? .bytes([])))
        site.origin.serve("/same", .plain(Self.files.first { $0.path == "same" }?.body ?? .bytes([]), version: 2))
        // Cut for good: a partial file stays.
        let resumed = Self.files.first { $0.path == "resumed" }?.body ?? .bytes([])
        site.origin.serve(
            "/resumed", .plain(resumed, version: 2, Faults { $0.delivery = .cut(atOffset: 250_000, .fin) }))
        try await site.sync(manifest(["replaced", "same", "resumed"])) {
            $0.split = 1
            $0.retries = 0
        }
        #expect(site.partials.count == 1)
        let short = Self.files.first { $0.path == "short" }?.body.allBytes ?? []
        site.put("short", Array(short.prefix(120_000)))
        site.put("longer", Self.old["longer"]?.allBytes ?? [], modified: Resource.seconds(9))
    }

    private func manifest(_ paths: [String]) -> String {
        paths.map { path in
            site.origin.url("/\(path)").replacing("http://", with: "http://user:pass1word@") + "\n  out=\(path)\n"
        }.joined()
    }

    /// A run in a copy of the folder.
    func run(_ disk: FaultyDisk?, in directory: String) async -> Result<Report, SyncError> {
        let sync = site.makeSync(manifest(Self.files.map(\.path)), calls: disk?.calls ?? SystemCalls()) {
            $0.directory = directory
            $0.split = 3
            $0.minimumSplitSize = 64 << 10
            $0.reportFiles = ["\(directory).json"]
            $0.retries = 2
            // A program that another test is starting has the lock for a moment.
            $0.lockWait = .seconds(60)
        }
        do throws(SyncError) {
            return .success(try await sync.run())
        } catch {
            return .failure(error)
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(10 * Allowance.factor))) struct LocalFaultSweepTests {
    private static let errors: [Int32] = [
        ENOSPC, EDQUOT, EIO, EINTR, EMFILE, ENFILE, EACCES, EROFS, ENOMEM, ESTALE, ELOOP, ENAMETOOLONG,
    ]

    /// What a file may say that failed of this error.
    private static func codes(_ error: Int32) -> [FailureCode] {
        switch error {
        case ENOSPC, EDQUOT: [.diskFull]
        case EACCES, EROFS: [.permission]
        case ENAMETOOLONG: [.nameTooLong]
        // No path of the run has a link: it can only be one that somebody made.
        case ELOOP: [.unsafePath]
        default: [.io]
        }
    }

    @Test func `each call once, in each way`() async throws {
        let mixed = try await MixedSite()
        var runs = 0
        var hits = 0
        var numbers = SeededNumbers(seed: 7)
        let counts = try await record(mixed)
        for (turn, (kind, count)) in counts.sorted(by: { $0.key < $1.key }).enumerated() {
            for (number, error) in Self.errors.enumerated() where (turn + number) % Allowance.interval == 0 {
                // The first of a kind and any other, not the same for each error.
                let places = Set([0, Int.random(in: 0..<count, using: &numbers)])
                for place in places.sorted() {
                    let fault = FaultyDisk.Fault(kind: kind, when: .once(place), order: .fail(error))
                    runs += 1
                    hits += try await check(mixed, fault, error) ? 1 : 0
                }
            }
        }
        // Batches are not the same in each run: a few calls of a kind may not come.
        #expect(hits > runs * 8 / 10, "\(hits) of \(runs)")
    }

    @Test(arguments: [ENOSPC, EDQUOT, EIO, EROFS]) func `from one call on, for ever`(_ error: Int32) async throws {
        let mixed = try await MixedSite()
        let total = try await record(mixed).values.reduce(0, +)
        for place in stride(from: 0, to: total, by: max(total / 15, 1) * Allowance.interval) {
            try await check(mixed, FaultyDisk.Fault(kind: nil, when: .from(place), order: .fail(error)), error)
        }
        for kind in ["create", "write", "data-sync", "rename", "sync", "transaction", "append"] {
            try await check(mixed, FaultyDisk.Fault(kind: kind, when: .from(0), order: .fail(error)), error)
        }
    }

    @Test(arguments: [0, 1, 1000]) func `writes that write less than they were asked to`(_ most: Int) async throws {
        let mixed = try await MixedSite()
        let counts = try await record(mixed)
        for kind in ["write", "append", "copy", "read"] {
            for place in stride(from: 0, to: counts[kind] ?? 0, by: 3 * Allowance.interval) {
                try await check(
                    mixed, FaultyDisk.Fault(kind: kind, when: .once(place), order: .limit(most)),
                    most == 0 && kind != "read" && kind != "copy" ? ENOSPC : most == 0 ? EIO : 0)
            }
            if most > 1 {
                try await check(mixed, FaultyDisk.Fault(kind: kind, when: .from(0), order: .limit(most)), 0)
            }
        }
    }

    /// The calls of a run without a fault.
    private func record(_ mixed: MixedSite) async throws -> [String: Int] {
        let directory = mixed.site.copy(of: mixed.original)
        let disk = FaultyDisk()
        let report = try await mixed.run(disk, in: directory).get()
        #expect(report.run.exitCode == .inLine, "\(report.lines)")
        #expect(Set(report.files.map(\.action)) == [.fetch, .resume, .replace, .delete, .skip])
        expectWhole(mixed, directory, "no fault")
        let kinds = [
            "create", "write", "read", "rename", "rename-over", "data-sync", "sync", "set-time", "transaction",
        ]
        for kind in kinds { #expect((disk.counts[kind] ?? 0) > 0, "\(kind): \(disk.counts)") }
        return disk.counts
    }

    /// - Returns: whether the fault happened.
    @discardableResult
    private func check(_ mixed: MixedSite, _ fault: FaultyDisk.Fault, _ error: Int32) async throws -> Bool {
        let directory = mixed.site.copy(of: mixed.original)
        defer { mixed.site.removeTree(directory) }
        let disk = FaultyDisk(fault)
        let name = Comment(rawValue: "\(fault) \(error)")
        let result = await mixed.run(disk, in: directory)
        switch result {
        case .success(let report): expectTruth(mixed, report, directory, disk, fault, error)
        case .failure(let problem):
            #expect(problem.exitCode == .unusableDirectory, name)
            if case .unusableDirectory(let failure) = problem {
                #expect(Self.codes(error).contains(failure.code), "\(name) \(failure)")
            }
        }
        for (path, body) in MixedSite.files {
            #expect(isOldOrNew(mixed, path, body, directory), "\(name): \(path)")
        }
        let again = try await mixed.run(nil, in: directory).get()
        #expect(again.run.exitCode == .inLine, "\(name): \(again.lines)")
        expectWhole(mixed, directory, name)
        // What was there is gone on with.
        if case .failure = result {
            #expect(again.files.filter { $0.action == .resume }.count == 2, "\(name)")
        }
        return disk.hits > 0
    }

    private func expectTruth(
        _ mixed: MixedSite, _ report: Report, _ directory: String, _ disk: FaultyDisk, _ fault: FaultyDisk.Fault,
        _ error: Int32
    ) {
        let name = Comment(rawValue: "\(fault) \(error): \(report.run.exitCode) \(report.lines)")
        #expect(report.files.count == MixedSite.files.count, name)
        for (file, expected) in zip(report.files, MixedSite.files) {
            #expect(file.path == expected.path && !file.url.contains("pass1word") && file.url.contains("***"), name)
            switch file.status {
            case .done, .unchanged: #expect(mixed.site.isBody("\(directory)/\(file.path)", expected.body), name)
            case .failed:
                guard let failure = file.failure else {
                    Issue.record("no failure: \(name)")
                    continue
                }
                #expect(error != 0 && Self.codes(error).contains(failure.code), "\(failure) \(name)")
                #expect(!failure.message.isEmpty && !failure.message.hasSuffix("."), name)
            case .interrupted: #expect(report.failure?.endsRun == true, name)
            case .planned, .removed: Issue.record("\(file.status): \(name)")
            }
        }
        let failed = report.files.count { $0.status == .failed }
        let interrupted = report.files.count { $0.status == .interrupted }
        switch report.run.exitCode {
        case .inLine: #expect(failed == 0 && interrupted == 0 && report.failure == nil, name)
        case .someFailed: #expect(interrupted == 0 && (failed > 0 || report.failure != nil), name)
        case .unusableDirectory: #expect(report.failure != nil, name)
        default: Issue.record("exit code: \(name)")
        }
        // A report somewhere else says nothing of DIR.
        let isOfReport = report.failure?.message.hasPrefix("the report «\(directory).json»") == true
        if report.failure?.endsRun == true, !isOfReport { #expect(report.run.exitCode == .unusableDirectory, name) }
        // Files that share a transaction or a folder share its fate; else one fault is one file's.
        if case .once = fault.when, report.failure?.endsRun != true, !["transaction", "sync"].contains(fault.kind) {
            #expect(failed <= 1, name)
        }
        // Too many open files: less at once, and no failure.
        if fault.kind == "create", error == EMFILE || error == ENFILE { #expect(report.run.exitCode == .inLine, name) }
        if error == 0 || error == EINTR { #expect(report.run.exitCode == .inLine, name) }
    }

    private func isOldOrNew(_ mixed: MixedSite, _ path: String, _ body: Body, _ directory: String) -> Bool {
        let file = "\(directory)/\(path)"
        guard let found = SyncFixture.read(file) else { return MixedSite.old[path] == nil }
        if mixed.site.isBody(file, body) { return true }
        if let old = MixedSite.old[path] { return mixed.site.isBody(file, old) }
        return path == "short" && found == Array(body.allBytes.prefix(120_000))
    }

    private func expectWhole(_ mixed: MixedSite, _ directory: String, _ name: Comment) {
        for (path, body) in MixedSite.files {
            #expect(mixed.site.isBody("\(directory)/\(path)", body), "\(name): \(path)")
        }
        #expect(SyncFixture.names(in: "\(directory)/.mirror/partial") == [], name)
        #expect(SyncFixture.names(in: "\(directory)/.mirror").filter { $0.hasPrefix(".") } == [], name)
        #expect(SyncFixture.names(in: directory).filter { $0.hasPrefix(".") } == [".mirror"], name)
    }
}
