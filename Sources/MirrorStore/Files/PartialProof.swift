// Whether partial files still hold what was recorded of them. A machine that lost power may have a disk that said «it
// is written» too early, or a file system that gives zeros for it: sizes are right then, and bytes are not.

import CXXHash
import MirrorCore
import MirrorThreads

/// The partial files that are still to be compared with the sums of their blocks. Each is read when it is needed, and not
/// before: all of them may be more than the disk reads in an hour.
final class PartialProof: Sendable {
    private let folder: PartialFolder
    private let calls: SystemCalls
    private let state: Locked<State>

    private struct State {
        var unproved: Set<LocalPath>
        var isNoted = false
    }

    enum Verdict: Sendable {
        case holds, broken, cancelled
    }

    init(of paths: some Sequence<LocalPath>, in folder: PartialFolder, calls: SystemCalls) {
        self.folder = folder
        self.calls = calls
        state = Locked(State(unproved: Set(paths)))
    }

    /// As long as the machine runs, what was written is what is read, whatever became of the process: reading all of it
    /// again is worth its time only after a new start.
    static func isNeeded(_ keeper: StateKeeper, calls: SystemCalls) -> Bool {
        guard let start = calls.machineStart() else { return true }
        return keeper.read { (state) throws(DatabaseError) in try state.machineStart() } != start
    }

    func isMissing(for path: LocalPath) -> Bool { state.withLock { $0.unproved.contains(path) } }

    /// The file is proved, or another one, or gone.
    func settle(_ path: LocalPath) { state.withLock { _ = $0.unproved.remove(path) } }

    /// True once, when nothing is left to be proved.
    func takeEnd() -> Bool {
        state.withLock { state in
            guard state.unproved.isEmpty, !state.isNoted else { return false }
            state.isNoted = true
            return true
        }
    }

    /// Whether each block whose sum is known is still there. One that is not speaks against all others: what nobody has
    /// a sum of is only believed beside blocks that are right. Where there is no sum at all, the server has to prove the
    /// bytes: it can do so where a gap follows them, for the last ones before it are fetched again.
    /// - Parameter provesGaps: whether they are.
    func verdict(on stored: StoredPartial, provesGaps: Bool, isCancelled: () -> Bool) -> Verdict {
        guard !stored.sums.isEmpty else {
            let last = stored.record.ranges.ranges.last?.end ?? 0
            return provesGaps && last < stored.record.generation.total ? .holds : .broken
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlockSums.blockSize, alignment: 4096)
        defer { buffer.deallocate() }
        do throws(SystemError) {
            let file = Descriptor(try folder.open(stored.file), calls: calls)
            for known in stored.sums {
                if isCancelled() { return .cancelled }
                let offset = Int64(known.block) * Int64(BlockSums.blockSize)
                guard try calls.read(into: buffer, from: file.number, at: offset) == buffer.count,
                    XXH3_64bits(buffer.baseAddress, buffer.count) == known.sum
                else { return .broken }
            }
            return .holds
        } catch {
            return .broken
        }
    }
}
