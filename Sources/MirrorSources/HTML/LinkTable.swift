// Which links of a page were there before: each file and each folder counts once, however its name is escaped. Most pages
// are in order, and then the last path tells that the next one is new; otherwise a table of positions, eight bytes each.

import MirrorCore
import MirrorURL

/// Finds what a listing already names.
struct LinkTable {
    private struct Slot {
        /// The position among the entries, or -2 minus the position among the folders; -1 is free.
        var position: Int32 = -1
        /// The hash, which is all that is needed to put the slot into a larger table.
        var hash: UInt32 = 0
    }

    /// Open addressing with linear probing.
    private var slots = [Slot](repeating: Slot(), count: 256)
    private var count = 0
    /// Whether the table is in use: a path came that does not follow the one before it.
    private var isOutOfOrder = false

    /// Where the file of this path is. Nil where it is new; it then counts as the next one.
    mutating func position(ofFile path: LocalPath, in listing: Listing) -> Int? {
        if !isOutOfOrder {
            let count = listing.entries.count
            if count == 0 || Self.follows(path, listing.entries[count - 1].path) { return nil }
            fill(listing)
        }
        return find(path, isFolder: false, next: listing.entries.count) { listing.entries[$0].path }
    }

    /// Where the folder of this path is. Nil where it is new; it then counts as the next one.
    mutating func position(ofFolder path: LocalPath, in listing: Listing) -> Int? {
        if !isOutOfOrder {
            let count = listing.folders.count
            if count == 0 || Self.follows(path, listing.folders[count - 1].path) { return nil }
            fill(listing)
        }
        return find(path, isFolder: true, next: listing.folders.count) { listing.folders[$0].path }
    }

    /// Whether a path comes after another one in the order of bytes. Nothing can be said of an entry without path.
    private static func follows(_ path: LocalPath, _ last: LocalPath?) -> Bool {
        last?.text.precedes(path.text) ?? false
    }

    private mutating func fill(_ listing: Listing) {
        isOutOfOrder = true
        for index in listing.entries.indices {
            guard let path = listing.entries[index].path else { continue }
            _ = find(path, isFolder: false, next: index) { listing.entries[$0].path }
        }
        for index in listing.folders.indices {
            _ = find(listing.folders[index].path, isFolder: true, next: index) { listing.folders[$0].path }
        }
    }

    private mutating func find(
        _ path: LocalPath, isFolder: Bool, next: Int, _ known: (Int) -> LocalPath?
    ) -> Int? {
        if count * 2 >= slots.count { grow() }
        let hash = Self.hash(path, isFolder)
        let mask = slots.count - 1
        var index = Int(hash) & mask
        while slots[index].position != -1 {
            let slot = slots[index]
            if slot.hash == hash, (slot.position < 0) == isFolder {
                let position = Int(isFolder ? -2 - slot.position : slot.position)
                if known(position) == path { return position }
            }
            index = (index + 1) & mask
        }
        slots[index] = Slot(position: Int32(clamping: isFolder ? -2 - next : next), hash: hash)
        count += 1
        return nil
    }

    private mutating func grow() {
        var larger = [Slot](repeating: Slot(), count: slots.count * 2)
        for slot in slots where slot.position != -1 {
            var index = Int(slot.hash) & (larger.count - 1)
            while larger[index].position != -1 { index = (index + 1) & (larger.count - 1) }
            larger[index] = slot
        }
        slots = larger
    }

    private static func hash(_ path: LocalPath, _ isFolder: Bool) -> UInt32 {
        var hasher = Hasher()
        path.text.withBytes { hasher.combine(bytes: $0) }
        let hash = UInt32(truncatingIfNeeded: hasher.finalize())
        return isFolder ? ~hash : hash
    }
}
