// Names that a volume takes for one (C089, C090). No such volume can be had everywhere: a link makes mirror see one.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct LocalNamesTests {
    private static let names = ["ReadMe", "other", "README", "readme"]

    private func prepare() throws -> (SyncFixture, String) {
        let site = try SyncFixture()
        for (index, name) in Self.names.enumerated() {
            site.origin.serve("/\(name)", .plain(.sized(1_000, seed: UInt64(index + 1))))
        }
        return (site, Self.names.map { site.origin.url("/\($0)") + "\n" }.joined())
    }

    @Test("C089 C090 later entries are conflicts", arguments: [false, true])
    func laterEntriesAreConflicts(isDryRun: Bool) async throws {
        let (site, manifest) = try prepare()
        site.makeFolder(".mirror")
        symlink(".mirror", "\(site.directory)/.MIRROR")
        let report = try await site.sync(manifest) { $0.isDryRun = isDryRun }
        #expect(report.files.map(\.failure?.code) == [nil, nil, .conflict, .conflict])
        #expect(report.files[2].failure?.message.contains("«ReadMe»") == true)
        #expect(report.run.exitCode == .someFailed)
        if isDryRun { return }
        #expect(report.files.map(\.status) == [.done, .done, .failed, .failed])
        #expect(!site.exists("README") && !site.exists("readme"))
        #expect(site.origin.requests(for: "/README").isEmpty)
    }

    @Test func usualVolumesTellThemApart() async throws {
        let (site, manifest) = try prepare()
        let accents = ["%C3%A9", "e%CC%81"].map { site.origin.url("/\($0)") + "\n" }.joined()
        site.origin.serveOthers { Resource.plain(.sized(10)).answer(to: $0) }
        let report = try await site.sync(manifest + accents)
        #expect(report.files.allSatisfy { $0.status == .done } && report.run.exitCode == .inLine, "\(report.lines)")
        #expect(site.exists("\u{E9}") && site.exists("e\u{301}"))
        #expect(!SyncFixture.names(in: "\(site.directory)/.mirror").contains { $0.hasPrefix("probe") })
    }
}
