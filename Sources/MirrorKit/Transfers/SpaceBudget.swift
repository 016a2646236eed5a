// The free space of DIR's file system, so that no file is begun that has no room.

import MirrorCore
import MirrorStore
import MirrorThreads

/// Hands out free space. The file system is asked again only when what it last said is used up.
final class SpaceBudget: Sendable {
    private let store: Store
    private let minimumFree: Int64
    private let remaining = Locked<Int64>(0)

    /// - Parameter minimumFree: bytes that must stay free.
    init(store: Store, minimumFree: Int64) {
        self.store = store
        self.minimumFree = minimumFree
    }

    /// Whether so many bytes would fit now.
    func check(_ bytes: Int64) throws(Failure) {
        guard bytes > 0 || minimumFree > 0, let free = freeSpace else { return }
        guard free - min(free, minimumFree) >= bytes, free >= minimumFree else {
            throw .diskFull(needed: bytes, available: free - minimumFree)
        }
    }

    /// Takes bytes from the budget.
    func reserve(_ bytes: Int64) throws(Failure) {
        if take(bytes) { return }
        guard let free = freeSpace else { return }
        remaining.withLock { $0 = free - min(free, minimumFree) }
        guard take(bytes) else { throw .diskFull(needed: bytes, available: free - minimumFree) }
    }

    /// Nil where the file system does not tell: then it tells when it is full.
    private var freeSpace: Int64? { store.root?.freeSpace }

    private func take(_ bytes: Int64) -> Bool {
        remaining.withLock { remaining in
            guard remaining >= bytes else { return false }
            remaining -= bytes
            return true
        }
    }
}
