// A hash table from paths to the entries that ask for them. It holds positions instead of paths, four bytes each, so
// that a million entries cost eight megabytes.

/// Looks entries up by the bytes of their paths.
struct PathTable {
    /// Open addressing with linear probing; -1 is free.
    private var slots: [Int32]

    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
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
            let slot = slot(of: bytes[...], hash: hasher.finalize(), entries)
            if slots[slot] >= 0 { return Int(slots[slot]) }
            slots[slot] = Int32(clamping: index)
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
                let slot = slot(of: bytes[..<slash], hash: hasher.finalize(), entries)
                if slots[slot] >= 0 { body(Int(slots[slot])) }
                folders.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[start...slash]))
                start = slash + 1
            }
        }
    }

    /// The slot that holds the path, or the free one where it belongs.
    private func slot(of path: Slice<UnsafeRawBufferPointer>, hash: Int, _ entries: [Entry]) -> Int {
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] >= 0, !(entries[Int(slots[slot])].path?.text.utf8.elementsEqual(path) ?? false) {
            slot = (slot + 1) & mask
        }
        return slot
    }
}
