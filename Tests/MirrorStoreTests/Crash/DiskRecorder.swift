// Records everything that a run does to the disk below one folder: mirror's own system calls and SQLite's writes, in
// one order. A step is written down when it is over; a sync covers the steps that were over when it began.

import Glibc
import MirrorThreads

@testable import MirrorStore

/// The recorder of one folder.
final class DiskRecorder: SystemCallObserver {
    typealias Rule = @Sendable (SystemCall) -> SystemCallOrder?

    let folder: String
    private let start: DiskImage
    private let rule: Rule?
    private let state: Locked<DiskNames>

    /// - Parameters:
    ///   - folder: its path, absolute and without symbolic links. It is read as it is now.
    ///   - rule: what becomes of calls that shall not just go on.
    init(of folder: String, rule: Rule? = nil) {
        self.folder = folder
        self.rule = rule
        let start = DiskImage(of: folder)
        self.start = start
        state = Locked(
            DiskNames(
                entries: start.nodes.map {
                    if case .folder(let entries) = $0 { entries } else { nil }
                }))
        DatabaseWatch.add(self)
    }

    var calls: SystemCalls { SystemCalls(observer: self) }

    /// Ends the recording.
    func finish() -> DiskRecord {
        DatabaseWatch.remove(self)
        return DiskRecord(start: start, steps: state.withLock { $0.steps })
    }

    // MARK: System calls

    func willCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?) -> SystemCallOrder {
        if let order = rule?(call) { return order }
        state.withLock { state in
            switch call {
            case .dataSync(let file), .sync(let file), .syncFileSystem(let file):
                state.syncs[file] = state.syncs[file] ?? state.steps.count
            case .close(let file): state.open[file] = nil
            default: break
            }
        }
        return .proceed
    }

    func didCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?, result: Int) {
        let written = bytes.map { Array($0.prefix(result)) } ?? []
        state.withLock { $0.note(call, written, result, below: folder) }
    }

    // MARK: SQLite

    func willSync() -> Int { state.withLock { $0.steps.count } }

    func didChangeDatabase(_ change: DatabaseWatch.Change, _ path: String) {
        state.withLock { $0.note(change, path, below: folder) }
    }
}

extension DiskImage {
    /// Reads the tree as it is.
    init(of folder: String) {
        nodes = []
        add(folder)
    }

    @discardableResult
    private mutating func add(_ path: String) -> Int {
        let node = nodes.count
        var status = stat()
        lstat(path, &status)
        guard status.kind == S_IFDIR else {
            nodes.append(.file(PlainFile.read(path) ?? [], modified: status.modified))
            return node
        }
        nodes.append(.folder([:]))
        var entries: [String: Int] = [:]
        for name in TestFolder.names(in: path) { entries[name] = add("\(path)/\(name)") }
        nodes[node] = .folder(entries)
        return node
    }
}
