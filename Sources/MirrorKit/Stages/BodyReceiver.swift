// A body that is wanted in memory.

import MirrorCore
import MirrorThreads
import MirrorTransport

/// Collects the body of a good answer.
final class BodyReceiver: ResponseReceiver {
    /// A manifest of a million lines has about a tenth of this, in bytes.
    static let limit = 1 << 30

    private let content = Locked<[UInt8]>([])

    var bytes: [UInt8] { content.withLock { $0 } }

    func receive(head: ResponseHead) -> Bool { head.status == 200 }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        content.withLock { content in
            guard content.count + bytes.count <= Self.limit else { return false }
            content.append(contentsOf: bytes)
            return true
        }
    }
}
