// What others do to the folder while a run is at work in it: nothing of theirs is lost, nothing leads outside, and the
// report says what is there.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct LocalChangeTests {
    private static let body = Body.sized(300_000, seed: 60)
    private static let small = Body.sized(5_000, seed: 61)

    /// One thing that happens while `d/a` is half there; `before` and `after` are on its way to the name and back.
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let happen: @Sendable (SyncFixture) -> Void
        /// Nil where the file must arrive all the same.
        let code: FailureCode?
        var exitCode = ExitCode.someFailed
        /// What must be true then.
        var check: @Sendable (SyncFixture) -> Bool = { _ in true }
        /// Takes the obstacle away.
        var tidy: @Sendable (SyncFixture) -> Void = { _ in }
    }

    private static let changes = [
        Change(
            testDescription: "the folder vanishes", happen: { $0.removeFolder("d") }, code: nil, exitCode: .inLine,
            check: { $0.holds("d/a", body) }),
        Change(
            testDescription: "the folder becomes a file",
            happen: {
                $0.removeFolder("d")
                $0.put("d", [7])
            }, code: .conflict, check: { $0.bytes("d") == [7] }, tidy: { unlink("\($0.directory)/d") }),
        Change(
            testDescription: "the folder becomes a link that leads outside",
            happen: {
                $0.removeFolder("d")
                mkdir("\($0.folder)/outside", 0o755)
                symlink("\($0.folder)/outside", "\($0.directory)/d")
            }, code: .unsafePath, check: { SyncFixture.names(in: "\($0.folder)/outside").isEmpty },
            tidy: { unlink("\($0.directory)/d") }),
        Change(
            testDescription: "the folder becomes a link to another folder below",
            happen: {
                $0.removeFolder("d")
                $0.makeFolder("other")
                symlink("other", "\($0.directory)/d")
            }, code: nil, exitCode: .inLine, check: { $0.holds("other/a", body) }),
        Change(
            testDescription: "a folder takes the name", happen: { $0.makeFolder("d/a") }, code: .conflict,
            check: { $0.exists("d/a") }, tidy: { $0.removeFolder("d/a") }),
        Change(
            testDescription: "a file takes the name", happen: { $0.put("d/a", [1, 2, 3]) }, code: .conflict,
            check: { $0.bytes("d/a") == [1, 2, 3] }, tidy: { unlink("\($0.directory)/d/a") }),
        Change(
            testDescription: "a link that leads to nothing takes the name",
            happen: { symlink("nowhere", "\($0.directory)/d/a") }, code: nil, exitCode: .inLine,
            check: { $0.holds("d/a", body) && !$0.exists("d/nowhere") }),
        Change(
            testDescription: ".mirror is removed", happen: { $0.removeTree("\($0.directory)/.mirror") }, code: .io,
            exitCode: .unusableDirectory, check: { !$0.exists("d/a") }),
        Change(
            testDescription: "DIR is removed", happen: { $0.removeTree($0.directory) }, code: .io,
            exitCode: .unusableDirectory, check: { !$0.exists("") }),
    ]

    private func start(_ site: SyncFixture, _ gate: Gate) -> Sync {
        site.origin.serve("/a", .plain(Self.body, Faults { $0.delivery = .stall(after: 150_000, gate: gate) }))
        site.origin.serve("/b", .plain(Self.small))
        site.origin.serve("/c", .plain(Self.small))
        return site.makeSync(Self.manifest(site)) { $0.jobs = 1 }
    }

    private static func manifest(_ site: SyncFixture) -> String {
        "\(site.origin.url("/b"))\n\(site.origin.url("/a"))\n  out=d/a\n\(site.origin.url("/c"))\n"
    }

    @Test(arguments: changes) private func whileAFileIsHalfThere(_ change: Change) async throws {
        let site = try SyncFixture()
        site.makeFolder("d")
        let gate = Gate()
        let sync = start(site, gate)
        async let running = sync.run()
        #expect(await site.origin.waitUntil(bodyBytesSent: 150_000, for: "/a"))
        change.happen(site)
        gate.open()
        let report = try await running
        #expect(report.run.exitCode == change.exitCode, "\(report.lines) \(String(describing: report.failure))")
        #expect(report.files[1].failure?.code == change.code, "\(report.lines)")
        #expect(report.files[1].status == (change.code == nil ? .done : .failed))
        #expect(change.check(site))
        if change.exitCode != .unusableDirectory {
            #expect(report.files[0].status == .done && report.files[2].status == .done)
        }
        change.tidy(site)
        let again = try await site.sync(Self.manifest(site))
        #expect(again.run.exitCode == .inLine, "\(again.lines)")
        #expect(site.holds("b", Self.small) && site.holds("d/a", Self.body) && site.holds("c", Self.small))
        #expect(site.partials == [])
    }

    /// The old file is what the run was to replace, until somebody else has written to it.
    @Test func oldFileThatChangesIsKept() async throws {
        let site = try SyncFixture()
        site.put("d/a", [UInt8](repeating: 1, count: 400_000), modified: 0)
        let gate = Gate()
        let sync = start(site, gate)
        async let running = sync.run()
        #expect(await site.origin.waitUntil(bodyBytesSent: 150_000, for: "/a"))
        site.put("d/a", [5, 5])
        gate.open()
        let report = try await running
        #expect(report.files[1].failure?.code == .conflict && report.run.exitCode == .someFailed)
        #expect(site.bytes("d/a") == [5, 5])
        #expect(try await site.sync(Self.manifest(site)).run.exitCode == .inLine)
        #expect(site.holds("d/a", Self.body))
    }

    /// Everything was opened below the folder and goes on there, whatever it is called meanwhile.
    @Test func folderThatIsRenamed() async throws {
        let site = try SyncFixture()
        let gate = Gate()
        let sync = start(site, gate)
        async let running = sync.run()
        #expect(await site.origin.waitUntil(bodyBytesSent: 150_000, for: "/a"))
        site.rename(site.directory, to: "\(site.folder)/moved")
        gate.open()
        #expect(try await running.run.exitCode == .inLine)
        #expect(!site.exists(""))
        #expect(site.isBody("\(site.folder)/moved/d/a", Self.body))
        #expect(SyncFixture.names(in: "\(site.folder)/moved/.mirror").contains("report.json"))
    }

    /// C175: something else is at work right after the file has its name.
    @Test(arguments: ["removed", "cut", "replaced"]) func doneIsWhatTheDiskSays(_ deed: String) async throws {
        let site = try SyncFixture()
        site.origin.serve("/a", .plain(Self.body))
        site.origin.serve("/b", .plain(Self.small))
        let path = "\(site.directory)/a"
        let isNamed = MirrorTestSupport.Locked(false)
        let disk = FaultyDisk { call in
            if case .rename(_, _, "a", _, _) = call { isNamed.withLock { $0 = true } }
            guard case .sync = call, isNamed.read({ $0 }), access(path, F_OK) == 0 else { return }
            switch deed {
            case "cut": truncate(path, 100)
            default:
                unlink(path)
                if deed == "replaced" {
                    Glibc.close(open(path, O_CREAT | O_WRONLY, 0o644))
                    truncate(path, Int(Self.body.length))
                }
            }
        }
        let manifest = "\(site.origin.url("/a"))\n\(site.origin.url("/b"))\n"
        let report = try await site.makeSync(manifest, calls: disk.calls).run()
        #expect(report.files.map(\.status) == [.failed, .done], "\(report.lines)")
        #expect(report.files[0].failure?.code == (deed == "cut" ? .sizeMismatch : .conflict))
        #expect(report.run.exitCode == .someFailed)
        if deed != "removed" { unlink(path) }
        #expect(try await site.sync(manifest).run.exitCode == .inLine)
        #expect(site.holds("a", Self.body))
    }

    /// C172: whatever the order, the worst decides.
    @Test func worstResultDecidesInEveryOrder() async throws {
        let site = try SyncFixture()
        site.origin.serve("/good", .plain(Self.small))
        site.origin.serve("/slow", .plain(Self.small, Faults { $0.delivery.delay = .milliseconds(50) }))
        for order in [["good", "slow", "none"], ["good", "none", "slow"], ["none", "good", "slow"]] {
            for rotated in [order, Array(order.reversed())] {
                site.removeTree(site.directory)
                let report = try await site.sync(rotated.map { site.origin.url("/\($0)") + "\n" }.joined())
                #expect(report.run.exitCode == .someFailed, "\(rotated)")
                #expect(report.files.map { $0.status == .failed } == rotated.map { $0 == "none" })
            }
        }
    }
}
