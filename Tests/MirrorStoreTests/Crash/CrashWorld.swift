// One workload for the crash tests: an origin, a folder with DIR and reports in it, what every file may be at any
// instant, and the runs.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

@testable import MirrorStore

/// An origin and a folder beside it.
final class CrashWorld {
    let origin: WickedOrigin
    /// Holds DIR and the reports.
    let place = TestFolder(below: CrashWorld.memory)
    private let manifests = TestFolder()
    /// What the files of the manifest are on the origin now.
    private(set) var bodies: [String: [UInt8]] = [:]
    /// What they were before the run; a path that is missing had nothing.
    private(set) var old: [String: [UInt8]] = [:]
    /// What earlier versions had, by ETag.
    private(set) var versions: [String: [UInt8]] = [:]
    /// Files that the manifest no longer names, and what they had: the next run removes them.
    private(set) var unnamed: [String: [UInt8]] = [:]
    /// Whether what is removed is kept in a folder beside DIR.
    var keepsRemoved = false
    private var manifest: [String] = []
    var change: (inout SyncOptions) -> Void = { _ in }
    /// What becomes of calls in every run.
    var rule: DiskRecorder.Rule?

    static let reports = ["reports/report.json", "reports/report.txt"]

    /// Thousands of trees are made: not on a disk, where there is memory.
    static let memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    init() throws {
        origin = try WickedOrigin()
        place.makeFolder("reports")
    }

    // MARK: Files

    /// Serves a file; a later version of a path replaces the earlier one.
    /// - Parameter cut: at which offset every answer ends, for a run that shall not come to an end.
    func serve(_ path: String, _ size: Int64, version: Int = 1, seed: UInt64, cut: Int64? = nil) {
        let body = Body.synthetic(length: size, seed: seed)
        let etag = "\"\(path)-v\(version)\""
        let faults = Faults {
            guard let cut else { return }
            // With ranges the next request would go on behind the cut.
            $0.range = .ignore
            $0.delivery = .cut(atOffset: cut)
        }
        origin.serve(
            "/\(path)",
            Resource(
                body: body, etag: etag,
                lastModified: MirrorTestSupport.HTTPDate.text(1_700_000_000 + version * 3600), faults: faults))
        bodies[path] = body.allBytes
        versions[etag] = body.allBytes
        if !manifest.contains(path) { manifest.append(path) }
    }

    /// Takes a file out of the manifest.
    func forget(_ path: String) {
        unnamed[path] = bodies.removeValue(forKey: path)
        manifest.removeAll { $0 == path }
    }

    /// Puts a file below DIR as somebody else would leave it.
    func put(_ path: String, _ bytes: some Collection<UInt8>, modified: Int64 = 1_750_000_000) {
        var folder = "\(place.path)/mirror"
        mkdir(folder, 0o755)
        for part in path.split(separator: "/").dropLast() {
            folder += "/\(part)"
            mkdir(folder, 0o755)
        }
        PlainFile.write(Array(bytes), to: "\(place.path)/mirror/\(path)", modified: modified * 1_000_000_000)
    }

    // MARK: Runs

    @discardableResult
    func sync(in folder: String? = nil, calls: SystemCalls = SystemCalls()) async throws -> Report {
        var calls = calls
        if folder != nil {
            let log = CallLog()
            log.setRule(rule)
            // Power was lost: the machine was started again.
            calls = SystemCalls(observer: log, machineStart: "after the cut")
        }
        let folder = folder ?? place.path
        let text = manifest.map { "\(origin.url("/\($0)"))\n  out=\($0)\n" }.joined()
        PlainFile.write(Array(text.utf8), to: "\(manifests.path)/manifest")
        var options = SyncOptions(sources: ["\(manifests.path)/manifest"])
        options.directory = "\(folder)/mirror"
        options.reportFiles = Self.reports.map { "\(folder)/\($0)" }
        options.minimumSplitSize = 256 << 10
        // A program that another test starts has the lock for a moment, until it is that program.
        options.lockWait = .seconds(30)
        if !unnamed.isEmpty {
            var policy = RemovalPolicy()
            policy.limit = .percent(100)
            options.removal = policy
            options.backupDirectory = keepsRemoved ? "\(folder)/backup" : nil
        }
        change(&options)
        return try await Sync(options, clock: Self.clock(), calls: calls).run()
    }

    /// Records the run that is to be cut. What is there now is what the files were.
    func record() async throws -> DiskRecord {
        for path in bodies.keys { old[path] = PlainFile.read("\(place.path)/mirror/\(path)") }
        let recorder = DiskRecorder(of: place.path, rule: rule)
        let report = try await sync(calls: recorder.calls)
        let record = recorder.finish()
        try #require(report.run.exitCode == .inLine, "\(report.files.filter { $0.failure != nil })")
        return record
    }

    /// Time that passes whenever it is asked for, so that every claim that may be due is due.
    private static func clock() -> RunClock {
        let asked = MirrorTestSupport.Locked(0)
        return RunClock(
            elapsed: {
                asked.withLock {
                    $0 += 1
                    return .milliseconds(1000 * $0)
                }
            },
            date: { MirrorCore.HTTPDate(seconds: 1_780_272_000) }, sleep: { _ in }, random: { 0.5 })
    }
}
