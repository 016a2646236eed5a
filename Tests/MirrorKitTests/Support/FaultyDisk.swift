// The disk under a run, as it is seen from the system calls: they are counted by kind, and those fail that a test
// wants to fail.

import Glibc
import MirrorStore
import MirrorTestSupport

/// Counts calls and bends some of them.
final class FaultyDisk: SystemCallObserver {
    /// Which calls of a kind.
    enum When: Sendable, Equatable {
        case once(Int)
        case from(Int)

        func includes(_ number: Int) -> Bool {
            switch self {
            case .once(let place): number == place
            case .from(let place): number >= place
            }
        }
    }

    /// What becomes of the calls of one kind; nil is any kind.
    struct Fault: Sendable {
        var kind: String?
        var when: When
        var order: SystemCallOrder
    }

    private struct State {
        var counts: [String: Int] = [:]
        var total = 0
        var hits = 0
        var open: [Int32: String] = [:]
    }

    private let state = MirrorTestSupport.Locked(State())
    private let fault: Fault?
    /// Sees each call before it happens.
    private let witness: @Sendable (SystemCall) -> Void

    init(_ fault: Fault? = nil, witness: @escaping @Sendable (SystemCall) -> Void = { _ in }) {
        self.fault = fault
        self.witness = witness
    }

    var calls: SystemCalls { SystemCalls(observer: self) }

    /// How many calls of each kind there were.
    var counts: [String: Int] { state.read { $0.counts } }

    /// How many calls were bent.
    var hits: Int { state.read { $0.hits } }

    func willCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?) -> SystemCallOrder {
        witness(call)
        return state.withLock { state in
            let kind = Self.kind(of: call)
            state.counts[kind, default: 0] += 1
            state.total += 1
            guard let fault, fault.kind == nil || fault.kind == kind,
                fault.when.includes((fault.kind == nil ? state.total : state.counts[kind, default: 0]) - 1)
            else { return .proceed }
            state.hits += 1
            return fault.order
        }
    }

    /// What a call does, and to what: a sync of a folder is another thing than one of a file's data.
    static func kind(of call: SystemCall) -> String {
        switch call {
        case .open(let path, _, let flags, _):
            if flags & O_CREAT != 0 { return path.hasPrefix(".") ? "create-temporary" : "create" }
            return flags & O_DIRECTORY != 0 ? "open-folder" : "open"
        case .close: return "close"
        case .status(let path, _): return path.isEmpty ? "status-of-file" : "status"
        case .makeFolder: return "make-folder"
        case .rename(_, _, _, _, let replaces): return replaces ? "rename-over" : "rename"
        case .remove: return "remove"
        case .write: return "write"
        case .append: return "append"
        case .read: return "read"
        case .copy: return "copy"
        case .setTime: return "set-time"
        case .setMode: return "set-mode"
        case .dataSync: return "data-sync"
        case .sync: return "sync"
        case .syncFileSystem: return "sync-file-system"
        case .lock: return "lock"
        case .space: return "space"
        case .list: return "list"
        case .access: return "access"
        case .transaction: return "transaction"
        }
    }
}
