// Watches the system calls of a store, and makes those fail that a test wants to fail.

import MirrorCore
import MirrorThreads

@testable import MirrorStore

/// All calls in order, and rules for some of them.
final class CallLog: SystemCallObserver {
    typealias Rule = @Sendable (SystemCall) -> SystemCallOrder?

    private let state = Locked(State())

    private struct State {
        var calls: [SystemCall] = []
        var rule: Rule?
        var opened = 0
    }

    var calls: SystemCalls { SystemCalls(observer: self) }

    var seen: [SystemCall] { state.withLock { $0.calls } }

    /// How many descriptors were given out.
    var opened: Int { state.withLock { $0.opened } }

    func didCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?, result: Int) {
        if case .open = call { state.withLock { $0.opened += 1 } }
    }

    func forget() { state.withLock { $0.calls = [] } }

    func setRule(_ rule: Rule?) { state.withLock { $0.rule = rule } }

    func willCall(_ call: SystemCall, bytes: UnsafeRawBufferPointer?) -> SystemCallOrder {
        let rule = state.withLock { state in
            state.calls.append(call)
            return state.rule
        }
        return rule?(call) ?? .proceed
    }

    /// The kinds of the calls that change something, in order.
    var changes: [String] {
        seen.compactMap { call in
            switch call {
            case .open(_, _, let flags, _): flags & 0o100 != 0 ? "create" : nil
            case .makeFolder: "makeFolder"
            case .rename: "rename"
            case .remove: "remove"
            case .write: "write"
            case .copy: "copy"
            case .setTime: "setTime"
            case .setMode: "setMode"
            case .dataSync: "dataSync"
            case .sync: "sync"
            case .syncFileSystem: "syncFileSystem"
            case .transaction: "transaction"
            default: nil
            }
        }
    }
}
