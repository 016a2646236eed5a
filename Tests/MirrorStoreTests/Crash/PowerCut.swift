// What a loss of power can leave: of all that was not safe, this part reached the disk and that did not.

import Glibc
import MirrorTestSupport

/// A way to lose power.
enum PowerCut: Hashable, Sendable, CustomStringConvertible {
    /// What becomes of entries that are not safe.
    enum Entries: Hashable { case lost, kept, journal, perFolder }
    /// What becomes of data that is not safe. `zeros`: sizes reached the disk, bytes did not.
    enum Data: Hashable { case lost, kept, zeros, mixed }

    case cut(Entries, Data, seed: UInt64)

    /// Those without chance.
    static let certain: [PowerCut] = [
        .cut(.lost, .lost, seed: 0), .cut(.kept, .kept, seed: 0), .cut(.kept, .lost, seed: 0),
        .cut(.kept, .zeros, seed: 0), .cut(.lost, .kept, seed: 0),
    ]

    static func seeded(_ seed: UInt64) -> PowerCut { .cut(seed % 2 == 0 ? .journal : .perFolder, .mixed, seed: seed) }

    var description: String {
        switch self {
        case .cut(let entries, let data, let seed): "entries \(entries), data \(data), seed \(seed)"
        }
    }

    /// The disk after the cut.
    func tree(_ model: DiskModel) -> DiskTree {
        switch self {
        case .cut(let entries, let data, let seed):
            var numbers = SeededNumbers(seed: seed)
            let limits = model.limits(entries, &numbers)
            return DiskTree(model, limits) { file in data.bytes(of: file, &numbers) }
        }
    }
}

extension DiskModel {
    /// Up to which step the entries of each folder are kept.
    fileprivate func limits(_ entries: PowerCut.Entries, _ numbers: inout SeededNumbers) -> [Int: Int] {
        var limits: [Int: Int] = [:]
        // A journal is on disk up to some point, the same for all folders.
        let common = Int.random(in: 0...stepCount, using: &numbers)
        for (number, node) in nodes.enumerated() {
            guard case .folder = node else { continue }
            switch entries {
            case .lost: limits[number] = 0
            case .kept: limits[number] = stepCount
            case .journal: limits[number] = common
            case .perFolder: limits[number] = Int.random(in: 0...stepCount, using: &numbers)
            }
        }
        // The file is never without a name: where the old one is gone, the new one is there.
        var isSettled = false
        while !isSettled {
            isSettled = true
            for (number, limit) in limits {
                guard case .folder(let folder) = nodes[number] else { continue }
                for change in folder.pending where change.node == nil && change.step < limit {
                    guard let target = renameTargets[change.step], limits[target, default: 0] <= change.step else {
                        continue
                    }
                    limits[target] = change.step + 1
                    isSettled = false
                }
            }
        }
        return limits
    }
}

extension PowerCut.Data {
    fileprivate func bytes(of file: DiskModel.File, _ numbers: inout SeededNumbers) -> [UInt8] {
        switch self {
        case .lost: return file.safe
        case .kept: return file.seen
        case .zeros:
            var bytes = file.safe
            bytes.truncate(to: file.seen.count)
            return bytes
        case .mixed:
            var bytes = file.safe
            for (_, change) in file.pending { Self.mix(change, into: &bytes, Int.random(in: 0..<20, using: &numbers)) }
            return bytes
        }
    }

    /// Half of the writes reach the disk, some in part, of some only the size.
    private static func mix(_ change: DiskModel.Change, into bytes: inout [UInt8], _ chance: Int) {
        guard case .write(let offset, let data) = change else {
            if chance < 10 { bytes.apply(change) }
            return
        }
        switch chance {
        case ..<10: bytes.put(data, at: offset)
        case ..<14: bytes.put(data.prefix(data.count * (chance - 9) / 5 / 512 * 512), at: offset)
        case ..<16: bytes.grow(to: offset + data.count)
        default: break
        }
    }
}

/// A tree of files, to be made.
struct DiskTree {
    enum Entry {
        case folder
        case file([UInt8], modified: Int64?, node: Int)
    }

    /// By path, below the folder that was recorded; a folder before what it holds.
    private(set) var entries: [(path: String, entry: Entry)] = []

    fileprivate init(_ model: DiskModel, _ limits: [Int: Int], _ bytes: (DiskModel.File) -> [UInt8]) {
        var files: [Int: Entry] = [:]
        func add(_ number: Int, _ path: String) {
            switch model.nodes[number] {
            case .file(let file):
                let entry = files[number] ?? .file(bytes(file), modified: file.safeTime, node: number)
                files[number] = entry
                entries.append((path, entry))
            case .folder(let folder):
                if !path.isEmpty { entries.append((path, .folder)) }
                var names = folder.safe
                for change in folder.pending where change.step < limits[number, default: 0] {
                    names[change.name] = change.node
                }
                for (name, node) in names.sorted(by: { $0.key < $1.key }) {
                    add(node, path.isEmpty ? name : "\(path)/\(name)")
                }
            }
        }
        add(0, "")
    }

    /// Equal for equal trees.
    var hash: Int {
        var hasher = Hasher()
        for (path, entry) in entries {
            hasher.combine(path)
            guard case .file(let bytes, let modified, _) = entry else { continue }
            hasher.combine(modified)
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }

    func bytes(_ path: String) -> [UInt8]? {
        guard case .file(let bytes, _, _)? = entries.first(where: { $0.path == path })?.entry else { return nil }
        return bytes
    }

    /// Makes the tree in a folder that is there. Names of one file stay names of one file.
    func make(in folder: String) {
        var made: [Int: String] = [:]
        for (path, entry) in entries {
            let target = "\(folder)/\(path)"
            switch entry {
            case .folder: mkdir(target, 0o755)
            case .file(let bytes, let modified, let node):
                if let first = made[node] {
                    link(first, target)
                } else {
                    PlainFile.write(bytes, to: target, modified: modified)
                    made[node] = target
                }
            }
        }
    }
}
