// Which folders removed files may be kept in.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct BackupFolderTests {
    /// DIR is `FOLDER/mirror`, and `FOLDER/link` leads there.
    @Test(
        "--backup-dir in a place where it would be lost or mirrored over is a usage error",
        arguments: [
            // the folder below FOLDER, an excluded pattern, what the error says
            ("mirror", nil, "DIR itself"), ("mirror/", nil, "DIR itself"), ("mirror/../mirror/.", nil, "DIR itself"),
            ("link", nil, "DIR itself"), ("mirror", "/**", "DIR itself"),
            ("mirror/.mirror", nil, "DIR/.mirror"), ("link/.mirror/old", "/.mirror/", "DIR/.mirror"),
            ("mirror/old", nil, "--exclude '/old/'"), ("link/a/old", nil, "--exclude '/a/old/'"),
            ("mirror/old", "/other/", "--exclude '/old/'"), ("mirror/missing/../old", nil, "--exclude '/old/'"),
            ("", nil, "DIR lies in"), (".", nil, "DIR lies in"), ("mirror/..", nil, "DIR lies in"),
            ("mirror/old", "/old/", nil), ("mirror/old/today", "/old/", nil), ("mirror/../old", nil, nil),
            ("old", nil, nil), ("mirror2", nil, nil),
        ] as [(String, String?, String?)])
    func places(_ place: String, _ excluded: String?, _ problem: String?) async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/pub/a", "/pub/b")
        try await site.syncIndex("/pub/")
        tree.remove("/pub/b")
        Glibc.symlink("mirror", "\(site.folder)/link")
        let sync = site.makeIndexSync(["/pub/"]) {
            var policy = RemovalPolicy()
            policy.limit = .percent(100)
            $0.removal = policy
            $0.backupDirectory = "\(site.folder)/\(place)"
            if let excluded, let pattern = try? GlobPattern(excluded) { $0.selection.rules = [.exclude(pattern)] }
        }
        site.origin.resetLog()
        guard let problem else {
            #expect(try await sync.run().run.exitCode == .inLine)
            #expect(!site.exists("b") && site.isBody("\(site.folder)/\(place)/b", ListedTree.body("/pub/b")))
            return
        }
        do throws(SyncError) {
            _ = try await sync.run()
            Issue.record("it was not refused")
        } catch {
            #expect(error.exitCode == .badUsage)
            guard case .badUsage(let message) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(message.contains(problem), "\(message)")
        }
        #expect(site.exists("b") && site.origin.log.isEmpty)
    }

    @Test("a backup folder that nothing is removed to is of no account")
    func withoutDelete() async throws {
        let site = try SyncFixture()
        ListedTree(on: site.origin).add("/pub/a")
        let report = try await site.syncIndex("/pub/") { $0.backupDirectory = site.directory }
        #expect(report.run.exitCode == .inLine)
    }
}
