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
            var start = 0
            while let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[start...slash]))
                start = slash + 1
            }
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            let hash = hasher.finalize()
            let slot = slot(of: bytes[...], hash, entries)
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
            var folders = Hasher()
            var start = 0
            while let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/")) {
                var hasher = folders
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<slash]))
                let slot = slot(of: bytes[..<slash], hasher.finalize(), entries)
                if slots[slot].position >= 0 { body(Int(slots[slot].position)) }
                folders.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[start...slash]))
                start = slash + 1
            }
        }
    }

    private static func tag(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    /// The slot that holds the path, or the free one where it belongs.
    private func slot(of path: Slice<UnsafeRawBufferPointer>, _ hash: Int, _ entries: [Entry]) -> Int {
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
