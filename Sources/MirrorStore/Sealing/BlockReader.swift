// Blocks that are read again for their sum.

import CXXHash
import MirrorCore

/// Reads blocks of partial files.
enum BlockReader {
    /// The sum of the block as it is on disk.
    static func sum(of block: Int, in partial: PartialFile) throws(Failure) -> UInt64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlockSums.blockSize, alignment: 4096)
        defer { buffer.deallocate() }
        let count = try partial.read(into: buffer, at: Int64(block) * Int64(BlockSums.blockSize))
        return XXH3_64bits(buffer.baseAddress, count)
    }
}
