// Whether partial files still hold what was recorded of them. A machine that lost power may have a disk that said «it
// is written» too early, or a file system that gives zeros for it: sizes are right then, and bytes are not.

import CXXHash
import MirrorCore

/// Compares partial files with the sums of their blocks.
struct PartialProof {
    private let folder: PartialFolder
    private let calls: SystemCalls

    init(_ folder: PartialFolder, calls: SystemCalls) {
        self.folder = folder
        self.calls = calls
    }

    /// As long as the machine runs, what was written is what is read, whatever became of the process: reading all of it
    /// again is worth its time only after a new start.
    static func isNeeded(_ keeper: StateKeeper, calls: SystemCalls) -> Bool {
        guard let start = calls.machineStart() else { return true }
        return keeper.read { (state) throws(DatabaseError) in try state.machineStart() } != start
    }

    /// Whether each block whose sum is known is still there. One that is not speaks against all others: what nobody has
    /// a sum of is only believed beside blocks that are right.
    func holds(_ stored: StoredPartial) -> Bool {
        guard !stored.sums.isEmpty else { return true }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlockSums.blockSize, alignment: 4096)
        defer { buffer.deallocate() }
        do throws(SystemError) {
            let file = Descriptor(try folder.open(stored.file), calls: calls)
            for known in stored.sums {
                let offset = Int64(known.block) * Int64(BlockSums.blockSize)
                guard try calls.read(into: buffer, from: file.number, at: offset) == buffer.count,
                    XXH3_64bits(buffer.baseAddress, buffer.count) == known.sum
                else { return false }
            }
            return true
        } catch {
            return false
        }
    }
}
