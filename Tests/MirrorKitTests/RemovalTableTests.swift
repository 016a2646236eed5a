// What `--delete` does with every kind of recorded file, from every kind of source, under every option: all of them
// against all of them. What is expected is worked out here from the contract and from nothing else.

import Glibc
import MirrorKit
import MirrorTestSupport
import Testing

struct RemovalTableTests {
    /// What became of the source since the last run.
    enum Source: String, CaseIterable, Sendable {
        case complete, incomplete, failed, empty, emptyAllowed
    }

    enum Option: String, CaseIterable, Sendable {
        case none, delete, dryRun, enoughFiles, enoughPercent, tooMany, tooManyPercent, backup, shard, filter, depth
    }

    /// What DIR and the state hold of a file that the source does not name any more.
    enum Kind: String, CaseIterable, Sendable {
        case unchanged, changed, neverRecorded, ofOtherSource, missing, behindLink
        /// Gone from a folder that is still listed, one level down.
        case below
        /// No longer named, but the server still has it.
        case hidden

        var path: String {
            switch self {
            case .unchanged, .changed, .neverRecorded, .missing, .hidden: rawValue
            case .ofOtherSource: "other"
            case .behindLink: "linked/file"
            case .below: "sub/below"
            }
        }
    }

    /// What is expected of a file.
    enum Fate: Equatable {
        case removed
        /// The report does not speak of it.
        case unheard
        case kept(String)
        case failed(String)
        case planned
    }

    private static let kept = ["kept1", "kept2", "sub/kept3"]
    /// With what each run leaves out or may not take.
    private static let shard = Selection.Shard(0, of: 2)

    // MARK: The contract

    /// Whether the run looks at a recorded file at all.
    private static func looks(_ option: Option, at kind: Kind, _ source: Source) -> Bool {
        switch (option, kind) {
        case (.none, _), (_, .neverRecorded): false
        case (.shard, _): isTaken(kind.path)
        case (.filter, .unchanged): false
        // A folder that is listed and was not to be read.
        case (.depth, .below): source == .emptyAllowed
        default: true
        }
    }

    private static func isTaken(_ path: String) -> Bool {
        var selection = Selection()
        selection.shard = shard
        return selection.takes(path: path)
    }

    private static func isRefused(_ source: Source, _ option: Option) -> Bool {
        guard option != .none else { return false }
        switch source {
        case .complete, .emptyAllowed: return option == .tooMany || option == .tooManyPercent
        case .incomplete, .failed, .empty: return true
        }
    }

    private static func fate(_ kind: Kind, _ source: Source, _ option: Option) -> Fate {
        guard looks(option, at: kind, source), source != .failed else { return .unheard }
        guard source == .complete || source == .emptyAllowed else { return .unheard }
        switch kind {
        case .neverRecorded: return .unheard
        case .changed: return .kept("changed here")
        case .behindLink: return .failed("unsafe-path")
        case .ofOtherSource, .hidden: return .kept("the server still has it")
        case .unchanged, .missing, .below:
            if option == .dryRun { return .planned }
            if isRefused(source, option), kind != .missing { return .kept("--max-delete") }
            return .removed
        }
    }

    private static func exitCode(_ source: Source, _ option: Option) -> ExitCode {
        if source == .failed { return .badUsage }
        if source == .incomplete || isRefused(source, option) { return .someFailed }
        // What lies behind a link is a failure.
        return looks(option, at: .behindLink, source) ? .someFailed : .inLine
    }

    // MARK: The world

    /// A mirror of all files, and then what became of it.
    private static func world(_ option: Option) async throws -> (SyncFixture, ListedTree) {
        let site = try SyncFixture()
        let tree = ListedTree(on: site.origin)
        for path in kept + Kind.allCases.filter({ $0 != .neverRecorded && $0 != .ofOtherSource }).map(\.path) {
            tree.add("/pub/\(path)")
        }
        tree.add("/elsewhere/other")
        let setUp: (inout SyncOptions) -> Void = { if option == .shard { $0.selection.shard = shard } }
        try await site.syncIndex("/pub/", change: setUp)
        try await site.sync(paths: "/elsewhere/other", change: setUp)
        for kind in Kind.allCases where kind != .ofOtherSource && kind != .hidden { tree.remove("/pub/\(kind.path)") }
        tree.hide("/pub/hidden")
        site.put("changed", [1, 2, 3])
        site.put("neverRecorded", [4, 5, 6])
        unlink("\(site.directory)/missing")
        site.rename("\(site.directory)/linked", to: "\(site.folder)/outside")
        Glibc.symlink("\(site.folder)/outside", "\(site.directory)/linked")
        return (site, tree)
    }

    private static func change(_ tree: ListedTree, _ site: SyncFixture, _ source: Source) {
        switch source {
        case .complete: break
        case .incomplete:
            var page = tree.page("/pub/")
            page.delivery = .cut(after: page.content.length - 40)
            site.origin.serve("/pub/") { [page] _ in page }
        case .failed: site.origin.serve("/pub/") { _ in .status(403) }
        case .empty, .emptyAllowed:
            tree.change {
                let hidden = $0.files["/pub/hidden"], other = $0.files["/elsewhere/other"]
                $0.files = ["/pub/hidden": hidden, "/elsewhere/other": other].compactMapValues { $0 }
                $0.folders = ["/pub/"]
            }
        }
    }

    private static func options(
        _ source: Source, _ option: Option, _ site: SyncFixture, toGo: Int, _ options: inout SyncOptions
    ) {
        options.retries = 0
        if option == .shard { options.selection.shard = shard }
        guard option != .none else { return }
        var policy = RemovalPolicy()
        policy.limit = .percent(100)
        policy.allowsEmptySource = source == .emptyAllowed
        switch option {
        case .enoughFiles: policy.limit = .files(toGo)
        case .tooMany: policy.limit = .files(toGo - 1)
        case .enoughPercent: policy.limit = .percent(source == .complete ? 20 : 50)
        case .tooManyPercent: policy.limit = .percent(source == .complete ? 19 : 49)
        case .dryRun: options.isDryRun = true
        case .backup: options.backupDirectory = "\(site.folder)/backup"
        case .filter: options.selection.rules = (try? GlobPattern("/unchanged")).map { [.exclude($0)] } ?? []
        case .depth: options.depth = 1
        case .none, .delete, .shard: break
        }
        options.removal = policy
    }

    // MARK: The table

    @Test("every source, every option, every kind of file", arguments: Source.allCases, Option.allCases)
    func table(_ source: Source, _ option: Option) async throws {
        let (site, tree) = try await Self.world(option)
        Self.change(tree, site, source)
        // Of an emptied source the files go that it had all along, too.
        let others = source == .emptyAllowed ? Self.kept.filter { option != .shard || Self.isTaken($0) } : []
        let kinds = Kind.allCases.filter { Self.looks(option, at: $0, source) }
        let toGo = kinds.count { [.unchanged, .below].contains($0) } + others.count
        let before = Self.files(site)
        let sync = site.makeIndexSync(["/pub/"]) { Self.options(source, option, site, toGo: toGo, &$0) }
        let result = await Self.result(of: sync)
        #expect(Self.exitCode(of: result) == Self.exitCode(source, option))
        let report = try? result.get()
        #expect(
            (report?.failure?.message.contains("nothing is removed") ?? false)
                == (source != .failed && Self.isRefused(source, option)))
        var gone: Set<String> = []
        for kind in Kind.allCases {
            let fate = Self.fate(kind, source, option)
            if fate == .removed { gone.insert(kind.path) }
            Self.expect(report?.file(kind.path), kind, fate)
        }
        let isFree = source == .emptyAllowed && !Self.isRefused(source, option) && option != .dryRun && option != .none
        if isFree { gone.formUnion(others) }
        // Every file is where it was, but for those that are removed, and those are kept where they should be.
        let after = Self.files(site)
        #expect(before.filter { !gone.contains($0.key) } == after)
        let backup = SyncFixture.names(in: "\(site.folder)/backup")
        #expect(backup.isEmpty == (option != .backup || gone.isEmpty))
        for path in gone where option == .backup && path != Kind.missing.path {
            #expect(site.isBody("\(site.folder)/backup/\(path)", ListedTree.body("/pub/\(path)")), "\(path)")
        }
        #expect(site.isBody("\(site.folder)/outside/file", ListedTree.body("/pub/linked/file")) || option == .shard)
    }

    private static func expect(_ file: FileReport?, _ kind: Kind, _ fate: Fate) {
        switch fate {
        case .unheard: #expect(file == nil, "\(kind): \(file?.line ?? "")")
        case .removed: #expect(file?.status == .removed && file?.action == .remove, "\(kind): \(file?.line ?? "")")
        case .planned: #expect(file?.status == .planned && file?.action == .remove, "\(kind): \(file?.line ?? "")")
        case .kept(let reason):
            #expect(file?.status == .unchanged && file?.action == .skip, "\(kind): \(file?.line ?? "")")
            #expect(file?.reason.contains(reason) == true, "\(kind): \(file?.reason ?? "")")
        case .failed(let code):
            #expect(file?.status == .failed && file?.failure?.code.rawValue == code, "\(kind): \(file?.line ?? "")")
        }
    }

    private static func result(of sync: Sync) async -> Result<Report, SyncError> {
        do throws(SyncError) {
            return .success(try await sync.run())
        } catch {
            return .failure(error)
        }
    }

    private static func exitCode(of result: Result<Report, SyncError>) -> ExitCode {
        switch result {
        case .success(let report): report.run.exitCode
        case .failure(let error): error.exitCode
        }
    }

    /// The bytes of all files below DIR, by path; `.mirror` and links left out.
    private static func files(_ site: SyncFixture, _ folder: String = "") -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in SyncFixture.names(in: "\(site.directory)/\(folder)") where name != ".mirror" {
            var status = stat()
            guard lstat("\(site.directory)/\(folder)\(name)", &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: files.merge(self.files(site, "\(folder)\(name)/")) { $1 }
            case S_IFREG: files[folder + name] = site.bytes(folder + name)
            default: break
            }
        }
        return files
    }
}
