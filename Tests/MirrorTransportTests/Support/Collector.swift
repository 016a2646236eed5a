// A receiver that keeps what it gets and may want no more at some point.

import MirrorCore
import MirrorTestSupport
import MirrorTransport

/// Collects one answer.
final class Collector: ResponseReceiver {
    private struct State {
        var heads: [ResponseHead] = []
        var bytes: [UInt8] = []
        var calls = 0
    }

    private let state = MirrorTestSupport.Locked(State())
    private let wantsBody: Bool
    private let limit: Int

    /// - Parameter limit: after so many bytes no more are wanted.
    init(wantsBody: Bool = true, limit: Int = .max) {
        self.wantsBody = wantsBody
        self.limit = limit
    }

    var heads: [ResponseHead] { state.read { $0.heads } }
    var bytes: [UInt8] { state.read { $0.bytes } }
    var count: Int { state.read { $0.bytes.count } }

    func receive(head: ResponseHead) -> Bool {
        state.withLock { $0.heads.append(head) }
        return wantsBody
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            state.bytes += bytes
            return state.bytes.count < limit
        }
    }
}
