// Finds entries that cannot all have the paths they ask for, before anything is fetched. It judges names alone; what
// the disk holds is judged elsewhere. Time and memory grow with the number of entries and no faster.

/// Two entries that cannot both be mirrored.
package struct TargetConflict: Sendable, Equatable {
    /// What the two entries have in common.
    package enum Kind: Sendable, Equatable {
        /// Two URLs have one path.
        case twoURLs
        /// One URL is named twice with one path, but with options that differ.
        case twoPromises
        /// The path of the first entry is a folder of the second one's path, or the other way round.
        case fileAndFolder
    }

    package let kind: Kind
    package let path: LocalPath
    /// The entry that comes first in the source.
    package let first: SourcePlace
    package let second: SourcePlace
    /// The position of the entry that gives way where one may: the file that is a folder for others, else the later one.
    package let loser: Int
    /// Whether that one was named by an index. Nobody wrote it, so it costs an entry and not the run.
    package let isOfIndex: Bool
}

/// The result of comparing the paths of all entries.
package struct TargetCheck: Sendable {
    /// How many conflicts are kept; more would tell nobody more.
    package static let limit = 10_000

    package private(set) var conflicts: [TargetConflict] = []
    /// Positions of entries that say again what an earlier entry has said, in ascending order.
    package private(set) var repeats: [Int] = []

    /// Compares the paths of all entries that have one.
    package init(of entries: [Entry]) {
        var table = PathTable(capacity: entries.count)
        for index in entries.indices { enter(index, of: entries, in: &table) }
        // Folders are looked up once all files are known, so that the order of the two does not matter.
        for index in entries.indices {
            guard let path = entries[index].path else { continue }
            compareFolders(of: path, index, of: entries, in: table)
        }
    }

    /// Entries, or what stands for them in the same order, without those that only repeat an earlier one.
    package func withoutRepeats<Element>(_ elements: [Element]) -> [Element] {
        guard !repeats.isEmpty else { return elements }
        var kept: [Element] = []
        kept.reserveCapacity(elements.count - repeats.count)
        var next = repeats.startIndex
        for index in elements.indices {
            if next < repeats.endIndex, repeats[next] == index {
                next += 1
            } else {
                kept.append(elements[index])
            }
        }
        return kept
    }

    private mutating func enter(_ index: Int, of entries: [Entry], in table: inout PathTable) {
        guard let path = entries[index].path else { return }
        guard let earlier = table.enter(index, of: entries, path: path) else { return }
        let first = entries[earlier], second = entries[index]
        if first.address != second.address {
            add(.twoURLs, path, earlier, index, of: entries)
        } else if first.promises(sameAs: second) {
            repeats.append(index)
        } else {
            add(.twoPromises, path, earlier, index, of: entries)
        }
    }

    private mutating func compareFolders(of path: LocalPath, _ index: Int, of entries: [Entry], in table: PathTable) {
        table.forEachFile(above: path, of: entries) { file in
            add(.fileAndFolder, entries[file].path ?? path, index, file, of: entries)
        }
    }

    /// - Parameter loser: the entry that gives way to the other, unless it is the one that somebody wrote.
    private mutating func add(
        _ kind: TargetConflict.Kind, _ path: LocalPath, _ winner: Int, _ loser: Int, of entries: [Entry]
    ) {
        guard conflicts.count < Self.limit else { return }
        let givesWay = entries[loser].place.isWritten && !entries[winner].place.isWritten ? winner : loser
        conflicts.append(
            TargetConflict(
                kind: kind, path: path, first: entries[min(winner, loser)].place,
                second: entries[max(winner, loser)].place, loser: givesWay,
                isOfIndex: !entries[givesWay].place.isWritten))
    }
}

extension SourcePlace {
    /// Whether there is a line that somebody wrote.
    fileprivate var isWritten: Bool { line > 0 }
}

extension Entry {
    /// Whether two entries of one URL ask for the same.
    fileprivate func promises(sameAs other: Entry) -> Bool {
        guard alternates == other.alternates else { return false }
        guard let options, let others = other.options else { return options == nil && other.options == nil }
        return options.says(sameAs: others)
    }
}
