// Which addresses a listing has named already. Hashes stand for addresses, for a listing may have a million of them: two
// addresses share one of 2^64 values by accident less than once in a million listings of a million entries.

import MirrorCore

/// A set of addresses to which is only added.
struct AddressSet {
    // Open addressing, at most three quarters full; 0 is a free place.
    private var hashes: [Int] = []
    private var count = 0

    /// Returns whether the address is new.
    mutating func insert(_ address: Address) -> Bool {
        if count * 4 >= hashes.count * 3 { grow() }
        return insert(hash: address.hashValue | 1)
    }

    private mutating func insert(hash: Int) -> Bool {
        let mask = hashes.count - 1
        // The lowest bit is always set.
        var index = (hash >> 1) & mask
        while hashes[index] != 0 {
            if hashes[index] == hash { return false }
            index = (index + 1) & mask
        }
        hashes[index] = hash
        count += 1
        return true
    }

    private mutating func grow() {
        let old = hashes
        hashes = [Int](repeating: 0, count: max(64, old.count * 2))
        count = 0
        for hash in old where hash != 0 { _ = insert(hash: hash) }
    }
}
