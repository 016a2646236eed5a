// XXH3-64 of each 1 MiB block of a file, computed from the bytes on their way to the disk. A block whose bytes come in
// order from its start is hashed as they pass; any other block stays unknown and is read again before the file is
// sealed. A sum is only ever kept when it is that of the bytes last written.

import CXXHash

/// The sums of one file's blocks.
// Not Sendable: its owner locks it.
package final class BlockSums {
    /// Bytes in a block; the last one of a file may be shorter.
    package static let blockSize = 1 << 20
    /// How many blocks can grow at once: one for each range that is fetched in parallel.
    static let streamLimit = 16
    /// Files beyond 16 TiB have no sums for what lies behind: the list would grow with whatever size a server claims.
    static let blockLimit = 1 << 24

    private var sums: [UInt64] = []
    private var isKnown: [Bool] = []
    private var streams: [Stream] = []
    private var idle: [OpaquePointer] = []

    /// A block that is being hashed, up to `next`.
    private struct Stream {
        let block: Int
        var next: Int64
        let state: OpaquePointer
    }

    package init() {}

    deinit {
        for stream in streams { XXH3_freeState(stream.state) }
        for state in idle { XXH3_freeState(state) }
    }

    /// Takes notice of bytes that were written at `offset`.
    package func add(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        guard offset >= 0 else { return }
        var position = offset
        var rest = bytes[...]
        while !rest.isEmpty {
            let block = Int(position / Int64(Self.blockSize))
            guard block < Self.blockLimit else { return }
            let left = Self.blockSize - Int(position % Int64(Self.blockSize))
            let part = rest.prefix(left)
            add(UnsafeRawBufferPointer(rebasing: part), at: position, in: block)
            rest = rest.dropFirst(part.count)
            position += Int64(part.count)
        }
    }

    private func add(_ bytes: UnsafeRawBufferPointer, at position: Int64, in block: Int) {
        if let index = streams.firstIndex(where: { $0.block == block }) {
            if streams[index].next == position {
                feed(bytes, to: index)
                return
            }
            end(index)
        } else if block < isKnown.count {
            isKnown[block] = false
        }
        let start = Int64(block) * Int64(Self.blockSize)
        guard position == start else { return }
        if bytes.count == Self.blockSize {
            learn(XXH3_64bits(bytes.baseAddress, bytes.count), of: block)
        } else if let state = freshState() {
            streams.append(Stream(block: block, next: start, state: state))
            feed(bytes, to: streams.count - 1)
        }
    }

    private func feed(_ bytes: UnsafeRawBufferPointer, to index: Int) {
        let stream = streams[index]
        _ = XXH3_64bits_update(stream.state, bytes.baseAddress, bytes.count)
        streams[index].next += Int64(bytes.count)
        if streams[index].next == Int64(stream.block + 1) * Int64(Self.blockSize) {
            learn(XXH3_64bits_digest(stream.state), of: stream.block)
            end(index)
        }
    }

    private func freshState() -> OpaquePointer? {
        // The stream that was begun first is the one least likely to go on.
        if streams.count == Self.streamLimit { end(0) }
        guard let state = idle.popLast() ?? XXH3_createState() else { return nil }
        _ = XXH3_64bits_reset(state)
        return state
    }

    private func end(_ index: Int) {
        idle.append(streams[index].state)
        streams.remove(at: index)
    }

    /// Forgets all that is known of the blocks from `offset` to `end`.
    package func forget(from offset: Int64, to end: Int64) {
        guard offset >= 0, end > offset else { return }
        let first = offset / Int64(Self.blockSize)
        let last = (end - 1) / Int64(Self.blockSize)
        while let index = streams.firstIndex(where: { $0.block >= first && $0.block <= last }) { self.end(index) }
        for block in isKnown.indices where block >= first && block <= last { isKnown[block] = false }
    }

    /// The sum of bytes that are a block by themselves.
    static func sum(of bytes: UnsafeRawBufferPointer) -> UInt64 { XXH3_64bits(bytes.baseAddress, bytes.count) }

    /// Takes a sum that was learnt elsewhere.
    package func learn(_ sum: UInt64, of block: Int) {
        guard block >= 0, block < Self.blockLimit else { return }
        while sums.count <= block {
            sums.append(0)
            isKnown.append(false)
        }
        sums[block] = sum
        isKnown[block] = true
    }

    /// The sum of a block in a file of `total` bytes, where it is known.
    package func sum(of block: Int, total: Int64) -> UInt64? {
        if block < isKnown.count, isKnown[block] { return sums[block] }
        guard let stream = streams.first(where: { $0.block == block }), stream.next == total else { return nil }
        return XXH3_64bits_digest(stream.state)
    }

    /// All blocks that are known whole, in order.
    package var known: [(block: Int, sum: UInt64)] {
        isKnown.indices.lazy.filter { self.isKnown[$0] }.map { ($0, self.sums[$0]) }
    }

    /// How many blocks a file of `total` bytes has sums for.
    package static func blockCount(_ total: Int64) -> Int {
        guard total > 0 else { return 0 }
        return Int(min((total - 1) / Int64(blockSize) + 1, Int64(blockLimit)))
    }
}
