// Bytes computed from their offset. Each block of 64 KiB is a window of one random table, at a place drawn from seed
// and block number, and each page of 4 KiB opens with a stamp drawn from seed and page number. Bytes at a wrong
// offset, exchanged pages and pages of another seed are therefore never equal, and filling is a memory copy,
// which keeps an unoptimised test build fast.

/// An endless sequence of bytes with random access; two seeds differ in every page of 4 KiB.
package struct SyntheticBytes: Sendable {
    private static let blockSize: Int64 = 64 * 1024
    private static let pageSize: Int64 = 4096
    private static let stampSize: Int64 = 8
    private static let table: [UInt8] = (0..<blockSize / 4).flatMap { word in
        withUnsafeBytes(of: mixed(UInt64(word)).littleEndian) { Array($0) }
    }

    /// Names the sequence.
    package let seed: UInt64

    /// The sequence of that seed.
    package init(seed: UInt64) { self.seed = seed }

    /// The byte at `offset`, from 0 on.
    package func byte(at offset: Int64) -> UInt8 {
        let inPage = offset % Self.pageSize
        if inPage < Self.stampSize { return stampByte(inPage, ofPage: offset / Self.pageSize) }
        return Self.table[windowStart(ofBlock: offset / Self.blockSize) + Int(offset % Self.blockSize)]
    }

    /// Fills `buffer` with the bytes from `offset` on.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int64) {
        let end = offset + Int64(buffer.count)
        var position = offset
        while position < end {
            let block = position / Self.blockSize
            let next = min(end, (block + 1) * Self.blockSize)
            let source = windowStart(ofBlock: block) + Int(position % Self.blockSize)
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[Int(position - offset)..<Int(next - offset)])
            Self.table.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[source..<source + target.count]))
            }
            position = next
        }
        stamp(buffer, from: offset)
    }

    private func stamp(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int64) {
        let end = offset + Int64(buffer.count)
        var page = offset / Self.pageSize
        while page * Self.pageSize < end {
            for index in 0..<Self.stampSize {
                let position = page * Self.pageSize + index
                if position >= offset, position < end {
                    buffer[Int(position - offset)] = stampByte(index, ofPage: page)
                }
            }
            page += 1
        }
    }

    private func windowStart(ofBlock block: Int64) -> Int {
        Int(Self.mixed(seed &* 31 &+ UInt64(block)) % UInt64(Self.blockSize))
    }

    private func stampByte(_ index: Int64, ofPage page: Int64) -> UInt8 {
        UInt8(truncatingIfNeeded: Self.mixed(~seed &+ UInt64(page) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(8 * index))
    }

    /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection, so two inputs never share an output.
    private static func mixed(_ input: UInt64) -> UInt64 {
        var word = input &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
