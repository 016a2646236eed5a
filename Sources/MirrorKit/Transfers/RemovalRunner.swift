// Carries out the removals of a plan, when everything else has been done.

import MirrorCore
import MirrorStore

/// Removes what a plan says.
struct RemovalRunner {
    let options: SyncOptions
    let store: Store

    /// - Parameter holdsBack: why nothing may be removed now; nil to go on.
    func carryOut(_ plan: RemovalPlan, holdsBack: String?) async -> [FileReport] {
        var reports: [FileReport] = []
        let isFree = holdsBack == nil && !options.isDryRun
        let backup = isFree ? openBackup(plan) : .success(nil)
        for file in plan.files {
            var report = FileReport(file)
            if let holdsBack {
                if report.status == .planned { report.keep(holdsBack) }
            } else if file.fate.changesSomething, !options.isDryRun {
                if Task.isCancelled {
                    report.status = .interrupted
                } else {
                    await remove(file, backup, &report)
                }
            }
            reports.append(report)
        }
        return reports
    }

    /// What a backup goes to; nil for none.
    private func openBackup(_ plan: RemovalPlan) -> Result<Root?, Failure> {
        guard let folder = options.backupDirectory, plan.files.contains(where: { $0.fate == .remove }) else {
            return .success(nil)
        }
        return Result { () throws(Failure) in try Root(path: folder, createIfMissing: true, calls: store.calls) }
    }

    private func remove(_ file: PlannedRemoval, _ backup: Result<Root?, Failure>, _ report: inout FileReport) async {
        let root: Root?
        do throws(Failure) {
            root = try backup.get()
        } catch {
            report.fail(Failure(error.code, "the backup folder cannot be used: \(error.message)"))
            return
        }
        let order = RemovalOrder(
            path: file.path, record: file.record, backup: root, forgetsOnly: file.fate != .remove)
        switch await store.remove(order) {
        case .success(.removed): report.status = .removed
        case .success(.wasGone):
            report.status = .removed
            report.reason = .wasGone
        case .success(.isForeign): report.keep(.isForeign)
        case .success(.isBack): report.keep(.isBack)
        case .failure(let failure): report.fail(failure)
        }
    }
}

extension PlannedRemoval.Fate {
    /// Whether the disk or the state is to be changed.
    fileprivate var changesSomething: Bool {
        switch self {
        case .remove, .forget: true
        case .keep, .fail: false
        }
    }
}

extension String {
    fileprivate static let wasGone = "no longer named; it was gone already"
    fileprivate static let isBack = "no longer named; it was gone, and is there again"
    fileprivate static let isForeign = "no longer named, but changed here since it was fetched"
}

extension FileReport {
    /// A file that is to go.
    fileprivate init(_ file: PlannedRemoval) {
        self.init(
            path: file.path.text, url: file.record.url, action: .remove, reason: "no longer named by the source",
            status: .planned)
        localSize = file.record.size
        requests = file.requests
        switch file.fate {
        case .remove: break
        case .forget(let isGone): if isGone { reason = .wasGone } else { keep(.isForeign) }
        case .keep(let why): keep(why)
        case .fail(let failure): fail(failure)
        }
    }

    fileprivate mutating func keep(_ why: String) {
        action = .skip
        status = .unchanged
        reason = why
    }

    fileprivate mutating func fail(_ failure: Failure) {
        status = .failed
        self.failure = failure
    }
}
