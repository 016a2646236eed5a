// `--delete`: what goes, what stays, and when nothing goes at all (class L).

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct IndexDeleteTests {
    private static let all = ["/pub/a", "/pub/b", "/pub/c", "/pub/sub/d", "/pub/sub/e"]

    /// A mirror of five files.
    private static func mirrored(
        _ form: ListedTree.Form = .html, _ change: (inout SyncOptions) -> Void = { _ in }
    ) async throws -> (SyncFixture, ListedTree) {
        let site = try SyncFixture()
        let tree = ListedTree(form, on: site.origin)
        for path in all { tree.add(path) }
        let report = try await site.syncIndex("/pub/", change: change)
        try #require(report.run.exitCode == .inLine && report.files.count == all.count)
        return (site, tree)
    }

    /// A run that may remove everything, unless it says otherwise.
    private static func sync(
        _ site: SyncFixture, _ change: (inout SyncOptions) -> Void = { _ in }
    ) async throws -> Report {
        try await site.syncIndex("/pub/") {
            var policy = RemovalPolicy()
            policy.limit = .percent(100)
            $0.removal = policy
            change(&$0)
        }
    }

    @Test("what the source no longer names goes, with the folders that it leaves empty")
    func removed() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.remove("/pub/b")
        tree.remove("/pub/sub/d")
        tree.remove("/pub/sub/e")
        site.put("mine", [1, 2, 3])
        let dry = site.tree()
        let plan = try await Self.sync(site) { $0.isDryRun = true }
        #expect(plan.files.filter { $0.action == .remove }.map(\.path) == ["b", "sub/d", "sub/e"])
        #expect(plan.files.filter { $0.action == .remove }.allSatisfy { $0.status == .planned })
        #expect(site.tree() == dry)
        let report = try await Self.sync(site)
        #expect(report.run.exitCode == .inLine)
        #expect(report.files.filter { $0.status == .removed }.map(\.path) == ["b", "sub/d", "sub/e"])
        #expect(SyncFixture.names(in: site.directory) == [".mirror", "a", "c", "mine"])
        #expect(report.totals.requests > 0)
        // Without --delete nothing goes, and what has gone is not asked for again.
        tree.remove("/pub/c")
        #expect(try await site.syncIndex("/pub/").run.exitCode == .inLine)
        #expect(site.exists("c"))
        let last = try await Self.sync(site)
        #expect(last.files.filter { $0.action == .remove }.map(\.path) == ["c"] && !site.exists("c"))
    }

    @Test("--backup-dir keeps what goes", arguments: ["/tmp", "/dev/shm"])
    func backup(parent: String) async throws {
        let other = try SyncFixture(below: parent)
        let (site, tree) = try await Self.mirrored()
        let time = site.modified("sub/d")
        tree.remove("/pub/sub/d")
        let report = try await Self.sync(site) { $0.backupDirectory = "\(other.folder)/old" }
        #expect(report.run.exitCode == .inLine && !site.exists("sub/d"))
        #expect(site.isBody("\(other.folder)/old/sub/d", ListedTree.body("/pub/sub/d")))
        #expect(SyncFixture.modified("\(other.folder)/old/sub/d") == time)
        #expect(SyncFixture.names(in: "\(other.folder)/old/sub") == ["d"])
    }

    @Test("a backup that cannot be made keeps the file")
    func backupFails() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.remove("/pub/b")
        site.write([1], to: "\(site.folder)/file")
        let report = try await Self.sync(site) { $0.backupDirectory = "\(site.folder)/file/old" }
        #expect(report.run.exitCode != .inLine && site.exists("b"))
        #expect(report.file("b")?.status == .failed)
    }

    @Test("C133 a file that an index forgot while the server still has it stays")
    func forgotten() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.hide("/pub/b")
        tree.hide("/pub/sub/")
        let report = try await Self.sync(site)
        #expect(report.run.exitCode == .inLine)
        #expect(Self.all.allSatisfy { site.exists(String($0.dropFirst(5))) })
        #expect(report.file("b")?.status == .unchanged)
        #expect(report.file("sub/e")?.reason.contains("still has it") == true)
    }

    enum Hindrance: String, CaseIterable, Sendable {
        case folderRefused, folderBusy, pageCut, pageIsScript, fetchFails, listedButGone, empty, tooMany, symlinkLoop
        case pageForFile, askRefused, onlyFailed, cancelled

        /// Whether the run says that it refused.
        var isRefusal: Bool {
            switch self {
            case .fetchFails, .listedButGone, .pageForFile, .askRefused, .cancelled: false
            default: true
            }
        }
    }

    @Test("C129 C131 C135 nothing goes from a source that is not known to be whole", arguments: Hindrance.allCases)
    func refusals(_ hindrance: Hindrance) async throws {
        let (site, tree) = try await Self.mirrored()
        var change: (inout SyncOptions) -> Void = { _ in }
        tree.remove("/pub/b")
        switch hindrance {
        case .folderRefused: site.origin.serve("/pub/sub/") { _ in .status(403) }
        case .folderBusy: site.origin.serve("/pub/sub/") { _ in .status(503) }
        case .pageCut:
            var page = tree.page("/pub/sub/")
            page.delivery = .cut(after: page.content.length - 40)
            site.origin.serve("/pub/sub/") { [page] _ in page }
        case .pageIsScript: site.origin.serve("/pub/sub/") { _ in .htmlPage(IndexPage.script) }
        case .fetchFails:
            tree.add("/pub/new")
            site.origin.serve("/pub/new") { _ in .status(403) }
        case .listedButGone:
            let page = tree.page("/pub/")
            tree.remove("/pub/c")
            site.origin.serve("/pub/") { _ in page }
        case .empty:
            tree.change {
                $0.files = [:]; $0.folders = ["/pub/"]
            }
        case .tooMany: change = { $0.removal?.limit = .files(0) }
        case .symlinkLoop: site.origin.serve("/pub/sub/") { _ in tree.page("/pub/") }
        case .pageForFile: site.origin.serve("/pub/b") { _ in .htmlPage() }
        case .askRefused: site.origin.serve("/pub/b") { _ in .status(403) }
        case .onlyFailed:
            change = {
                $0.sources = ["\(site.directory)/.mirror/report.json"]
                $0.only = .failed
                $0.removal?.allowsEmptySource = true
            }
        case .cancelled: site.origin.serve("/pub/sub/") { _ in .hang }
        }
        let sync = site.makeIndexSync(["/pub/"]) {
            var policy = RemovalPolicy()
            policy.limit = .percent(100)
            $0.removal = policy
            change(&$0)
        }
        site.origin.resetLog()
        async let run = sync.run()
        if hindrance == .cancelled {
            #expect(await site.origin.waitUntil(requests: 1, for: "/pub/sub/"))
            sync.cancel()
        }
        let report = try await run
        #expect(Self.all.allSatisfy { site.exists(String($0.dropFirst(5))) })
        #expect(!report.files.contains { $0.status == .removed })
        let isKept = hindrance == .pageForFile
        #expect(report.run.exitCode == (hindrance == .cancelled ? .endedEarly : isKept ? .inLine : .someFailed))
        #expect((report.failure?.message.contains("nothing is removed") ?? false) == hindrance.isRefusal)
    }

    @Test(
        "C129 C160 a page that falls silent is a page that is not whole: nothing goes",
        arguments: [("/pub/", false), ("/pub/", true), ("/pub/sub/", false), ("/pub/sub/", true)])
    func silentPage(_ path: String, _ hasBegun: Bool) async throws {
        let (site, tree) = try await Self.mirrored()
        tree.remove("/pub/a")
        tree.remove("/pub/sub/d")
        var page = tree.page(path)
        page.delivery = .stall(after: page.content.length - 60)
        site.origin.serve(path) { [page] _ in hasBegun ? page : .hang }
        let sync = site.makeIndexSync(["/pub/"]) {
            var policy = RemovalPolicy()
            policy.limit = .percent(100)
            $0.removal = policy
            $0.transport.stallTimeout = .seconds(1)
            $0.retries = 0
        }
        // Without a word of the only source there is no run.
        let isRun = path != "/pub/" || hasBegun
        do throws(SyncError) {
            let report = try await sync.run()
            #expect(isRun && report.run.exitCode == .someFailed)
            #expect(report.failure?.message.contains("nothing is removed") == true)
            #expect(report.files.contains { $0.failure?.code == .invalidSource })
            #expect(report.file("b")?.status == .unchanged)
        } catch {
            #expect(!isRun && error.exitCode == .badUsage)
            guard case .badSource(let faults) = error else { throw error }
            #expect(faults.map(\.message) == ["no byte came for 1 s"])
        }
        #expect(Self.all.allSatisfy { site.exists(String($0.dropFirst(5))) })
    }

    @Test("a login page in place of a file that is no longer named is no word of it")
    func loginPage() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.add("/pub/x.zip")
        try await site.syncIndex("/pub/")
        tree.hide("/pub/x.zip")
        site.origin.serve("/pub/x.zip") { _ in .htmlPage() }
        let report = try await Self.sync(site)
        #expect(report.run.exitCode == .someFailed && site.exists("x.zip"))
        #expect(report.file("x.zip")?.failure?.code == .unexpectedType)
    }

    @Test("C135 a source that is empty on purpose empties the mirror with --allow-empty")
    func emptyOnPurpose() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.change {
            $0.files = [:]
            $0.folders = ["/pub/"]
        }
        let report = try await Self.sync(site) { $0.removal?.allowsEmptySource = true }
        #expect(report.run.exitCode == .inLine)
        #expect(SyncFixture.names(in: site.directory) == [".mirror"])
    }

    @Test("the default of --max-delete is a quarter")
    func quarter() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.remove("/pub/a")
        tree.remove("/pub/b")
        let report = try await Self.sync(site) { $0.removal = RemovalPolicy() }
        #expect(report.run.exitCode == .someFailed && site.exists("a") && site.exists("b"))
        #expect(report.failure?.message.contains("2 of 5") == true)
        tree.add("/pub/a")
        #expect(try await Self.sync(site) { $0.removal = RemovalPolicy() }.run.exitCode == .inLine)
        #expect(site.exists("a") && !site.exists("b"))
    }

    @Test("what a filter leaves out is not removed")
    func excluded() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.remove("/pub/sub/d")
        let rules: [Selection.Rule] = [.exclude(try GlobPattern("sub/"))]
        let report = try await Self.sync(site) { $0.selection.rules = rules }
        #expect(report.run.exitCode == .inLine && site.exists("sub/d") && site.exists("sub/e"))
        let large = try await Self.sync(site) { $0.selection.minimumSize = 1_000_000 }
        #expect(large.run.exitCode == .inLine && site.exists("a"))
    }

    @Test("only the very file that was fetched goes")
    func foreign() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.remove("/pub/a")
        tree.remove("/pub/b")
        site.put("a", [1, 2, 3])
        let report = try await Self.sync(site)
        #expect(report.run.exitCode == .inLine && site.exists("a") && !site.exists("b"))
        #expect(report.file("a")?.status == .unchanged)
    }

    @Test("C132 nothing goes through a symbolic link")
    func symlink() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.remove("/pub/sub/d")
        let outside = "\(site.folder)/outside"
        site.rename("\(site.directory)/sub", to: outside)
        Glibc.symlink(outside, "\(site.directory)/sub")
        let report = try await Self.sync(site)
        #expect(report.run.exitCode == .someFailed)
        #expect(SyncFixture.names(in: outside) == ["d", "e"])
        #expect(!report.files.contains { $0.status == .removed })
        // A link that stays inside DIR leads to a file that mirror fetched under another name.
        unlink("\(site.directory)/sub")
        site.rename(outside, to: "\(site.directory)/real")
        Glibc.symlink("real", "\(site.directory)/sub")
        let inside = try await Self.sync(site)
        #expect(inside.file("sub/d")?.failure?.code == .unsafePath)
        #expect(site.exists("real/d"))
    }

    @Test("files of a manifest that no longer names them go without a question")
    func manifest() async throws {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        tree.add("/a", "/b")
        try await site.sync(paths: "/a", "/b")
        site.origin.resetLog()
        let report = try await site.sync(paths: "/a") {
            var policy = RemovalPolicy()
            policy.limit = .files(1)
            $0.removal = policy
        }
        #expect(report.run.exitCode == .inLine && site.exists("a") && !site.exists("b"))
        #expect(site.origin.requests(for: "/b").isEmpty)
    }

    @Test("a dry run says what is kept because an entry fails")
    func dryRunWithFailure() async throws {
        let (site, tree) = try await Self.mirrored()
        tree.remove("/pub/b")
        let page = IndexPage.nginx("/pub/", ["a", "c", "sub/", ".mirror/"])
        site.origin.serve("/pub/") { _ in .htmlPage(page) }
        let plan = try await Self.sync(site) { $0.isDryRun = true }
        let report = try await Self.sync(site)
        #expect(plan.files.map(\.action) == report.files.map(\.action))
        #expect(plan.files.map(\.path) == report.files.map(\.path))
        #expect(report.run.exitCode == .someFailed && report.file("b")?.action == .skip && site.exists("b"))
    }

    /// Random trees, pages that forget entries or break off, faults, deletes on the server and here.
    @Test("no file goes that the true source still has", arguments: 0..<8)
    func property(seed: Int) async throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let site = try SyncFixture()
        let tree = ListedTree(seed % 2 == 0 ? .html : .xml, on: site.origin)
        let moods = MirrorTestSupport.Locked<[String: Int]>([:])
        site.origin.serveOthers { request in
            var answer = tree.answer(to: request)
            switch moods.read({ $0[request.path] ?? 0 }) {
            case 1: return .status(403)
            case 2: return .status(503)
            case 3: return .htmlPage()
            case 4: return .closed(.rst)
            case 5 where answer.status == 200 && answer.content.length > 2:
                answer.delivery = .cut(after: answer.content.length / 2)
                return answer
            case 6: return .htmlPage(IndexPage.script)
            case 7 where request.method == "HEAD": return .status(404)
            default: return answer
            }
        }
        var removals = 0
        for round in 0..<40 {
            let isCalm = round % 5 == 0
            tree.change { state in
                state.hidden = []
                state.folders = ["/pub/"]
                for _ in 0..<4 {
                    let ending = ["", ".zip"][Self.draw(2, &numbers)]
                    let path =
                        "/pub/" + ["", "x/", "x/y/", "z/"][Self.draw(4, &numbers)]
                        + "f\(Self.draw(6, &numbers))\(ending)"
                    if Self.draw(3, &numbers) > 0 {
                        state.files[path] = .plain(.sized(Int64(Self.draw(50, &numbers)), seed: UInt64(round + 1)))
                    } else {
                        state.files[path] = nil
                    }
                }
                guard !isCalm else { return }
                for path in state.files.keys.sorted() where Self.draw(6, &numbers) == 0 { state.hidden.insert(path) }
                if Self.draw(5, &numbers) == 0 { state.hidden.insert("/pub/x/") }
            }
            let files = tree.files
            moods.withLock { moods in
                moods = [:]
                guard !isCalm else { return }
                for path in files.sorted() + ["/pub/x/", "/pub/z/", "/pub/x/y/"] where Self.draw(8, &numbers) == 0 {
                    moods[path] = 1 + Self.draw(7, &numbers)
                }
            }
            let before = Set(Self.files(below: site.directory))
            let report = try? await Self.sync(site) { $0.retries = 1 }
            let after = Set(Self.files(below: site.directory))
            let lost = before.subtracting(after).filter { tree.files.contains("/pub/\($0)") }
            #expect(lost.isEmpty, "seed \(seed), round \(round)")
            removals += report?.files.count { $0.status == .removed } ?? 0
            if isCalm {
                #expect(report?.run.exitCode == .inLine, "seed \(seed), round \(round)")
                #expect(after == Set(tree.files.map { String($0.dropFirst(5)) }), "seed \(seed), round \(round)")
            }
        }
        // It removes at all.
        #expect(removals > 0)
    }

    private static func draw(_ bound: Int, _ numbers: inout SeededNumbers) -> Int {
        Int.random(in: 0..<bound, using: &numbers)
    }

    private static func files(below path: String, _ prefix: String = "") -> [String] {
        SyncFixture.names(in: path).filter { $0 != ".mirror" }.flatMap { name -> [String] in
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0 else { return [] }
            return status.st_mode & S_IFMT == S_IFDIR
                ? files(below: "\(path)/\(name)", "\(prefix)\(name)/") : [prefix + name]
        }
    }
}
