// A hash table from paths to the entries that ask for them. It holds positions instead of paths, eight bytes each, so
// that a million entries cost sixteen megabytes.

/// Looks entries up by the bytes of their paths.
struct PathTable {
    private struct Slot {
        /// -1 is free.
        var position: Int32 = -1
        /// A part of the hash that does not choose the slot: most paths that differ are told apart without a look at them.
        var tag: UInt32 = 0
    }

    /// Open addressing with linear probing.
    private var slots: [Slot]

    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: Slot(), count: size)
    }

    /// Enters a position under its path. Returns the position that was there before, and then leaves it there.
    mutating func enter(_ index: Int, of entries: [Entry], path: LocalPath) -> Int? {
        var text = path.text
        return text.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            var hasher = Hasher()
            let name = Self.forEachFolder(of: bytes) { hasher.combine(bytes: Self.part(bytes, $0...$1)) }
            hasher.combine(bytes: Self.part(bytes, name..<bytes.count))
            let hash = hasher.finalize()
            let slot = slot(of: bytes, hash, entries)
            if slots[slot].position >= 0 { return Int(slots[slot].position) }
            slots[slot] = Slot(position: Int32(clamping: index), tag: Self.tag(hash))
            return nil
        }
    }

    /// Calls with the position of every file whose path is a folder of another path.
    func forEachFile(above path: LocalPath, of entries: [Entry], _ body: (Int) -> Void) {
        var text = path.text
        text.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            // The hash of each folder comes out of the hash of the one above it: one pass for all of them.
            var above = Hasher()
            _ = Self.forEachFolder(of: bytes) { start, slash in
                var hasher = above
                hasher.combine(bytes: Self.part(bytes, start..<slash))
                let slot = slot(of: Self.part(bytes, 0..<slash), hasher.finalize(), entries)
                if slots[slot].position >= 0 { body(Int(slots[slot].position)) }
                above.combine(bytes: Self.part(bytes, start...slash))
            }
        }
    }

    /// Calls with the start of each folder's name and the position of the slash after it; returns the start of the last
    /// segment. Hashes are always fed the same parts, so that equal paths have equal hashes.
    private static func forEachFolder(of path: UnsafeRawBufferPointer, _ body: (Int, Int) -> Void) -> Int {
        var start = 0
        var index = 0
        while index < path.count {
            if path[index] == UInt8(ascii: "/") {
                body(start, index)
                start = index + 1
            }
            index += 1
        }
        return start
    }

    private static func part(
        _ bytes: UnsafeRawBufferPointer, _ range: some RangeExpression<Int>
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range])
    }

    private static func tag(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    /// The slot that holds the path, or the free one where it belongs.
    private func slot(of path: UnsafeRawBufferPointer, _ hash: Int, _ entries: [Entry]) -> Int {
        let mask = slots.count - 1
        let tag = Self.tag(hash)
        var index = hash & mask
        while slots[index].position >= 0 {
            let slot = slots[index]
            let other = slot.tag == tag ? entries[Int(slot.position)].path?.text.utf8 : nil
            if let other, other.count == path.count, other.elementsEqual(path) { return index }
            index = (index + 1) & mask
        }
        return index
    }
}
