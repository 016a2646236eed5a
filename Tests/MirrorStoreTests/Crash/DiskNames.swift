// The names below a recorded folder as they are now, and which descriptor leads where: what turns system calls into
// steps of a record.

import Glibc

@testable import MirrorStore

/// What a recorder knows of the folder.
struct DiskNames {
    /// The entries of each folder; nil for a file.
    var entries: [[String: Int]?]
    var open: [Int32: Int] = [:]
    /// When the syncs that are under way began, by descriptor.
    var syncs: [Int32: Int] = [:]
    var steps: [DiskStep] = []

    init(entries: [[String: Int]?]) { self.entries = entries }

    mutating func note(_ call: SystemCall, _ bytes: [UInt8], _ result: Int, below root: String) {
        switch call {
        case .open(let path, let folder, let flags, _):
            noteOpen(path, folder, flags, Int32(result), below: root)
        case .makeFolder(let path, let folder, _):
            if let place = place(path, folder, below: root) { make(place, isFolder: true) }
        case .rename(let from, let fromFolder, let to, let toFolder, _):
            guard let old = place(from, fromFolder, below: root), let new = place(to, toFolder, below: root) else {
                return
            }
            let node = entries[old.folder]?[old.name]
            entries[new.folder]?[new.name] = node
            entries[old.folder]?[old.name] = nil
            steps.append(.rename(from: old.folder, name: old.name, to: new.folder, newName: new.name))
        case .remove(let path, let folder):
            if let place = place(path, folder, below: root) { remove(place) }
        case .write(let file, let offset, _):
            if let node = open[file] { steps.append(.write(node: node, offset: Int(offset), bytes: bytes)) }
        case .append(let file, _):
            // Where the file stands is where it was moved to by what was just written.
            let offset = Int(lseek(file, 0, SEEK_CUR)) - result
            if let node = open[file] { steps.append(.write(node: node, offset: offset, bytes: bytes)) }
        case .copy(let from, let to, let offset, _):
            guard let source = open[from], let target = open[to], result > 0 else { return }
            steps.append(.copy(from: source, to: target, offset: Int(offset), count: result))
        case .setTime(let file, let seconds):
            if let node = open[file] { steps.append(.setTime(node: node, seconds: Int(seconds))) }
        case .dataSync(let file): sync(file) { .sync(node: $0, before: $1, isDataOnly: true) }
        case .sync(let file): sync(file) { .sync(node: $0, before: $1, isDataOnly: false) }
        case .syncFileSystem(let file): sync(file) { .syncAll(before: $1) }
        default: break
        }
    }

    private mutating func sync(_ file: Int32, _ step: (Int, Int) -> DiskStep) {
        guard let began = syncs.removeValue(forKey: file), let node = open[file] else { return }
        steps.append(step(node, began))
    }

    private mutating func noteOpen(
        _ path: String, _ folder: Int32, _ flags: Int32, _ descriptor: Int32, below root: String
    ) {
        open[descriptor] = nil
        guard let place = place(path, folder, below: root) else {
            // The folder itself.
            if path == root { open[descriptor] = 0 }
            if path == ".", let node = open[folder] { open[descriptor] = node }
            return
        }
        if entries[place.folder]?[place.name] == nil, flags & O_CREAT != 0 { make(place, isFolder: false) }
        open[descriptor] = entries[place.folder]?[place.name]
    }

    mutating func note(_ change: DatabaseWatch.Change, _ path: String, below root: String) {
        guard let place = place(path, AT_FDCWD, below: root) else { return }
        let node = entries[place.folder]?[place.name] ?? 0
        switch change {
        case .made: make(place, isFolder: false)
        case .written(let offset, let bytes): steps.append(.write(node: node, offset: offset, bytes: bytes))
        case .truncated(let size): steps.append(.truncate(node: node, size: size))
        case .synced(let before): steps.append(.sync(node: node, before: before, isDataOnly: true))
        case .removed: remove(place)
        case .folderSynced(let before):
            steps.append(.sync(node: place.folder, before: before, isDataOnly: false))
        }
    }

    // MARK: Names

    private typealias Place = (folder: Int, name: String)

    private mutating func make(_ place: Place, isFolder: Bool) {
        let node = entries.count
        entries.append(isFolder ? [:] : nil)
        entries[place.folder]?[place.name] = node
        steps.append(.make(folder: place.folder, name: place.name, node: node, isFolder: isFolder))
    }

    private mutating func remove(_ place: Place) {
        entries[place.folder]?[place.name] = nil
        steps.append(.remove(folder: place.folder, name: place.name))
    }

    /// Where a path leads; nil outside the folder, and for the folder itself.
    private func place(_ path: String, _ folder: Int32, below root: String) -> Place? {
        var parts: [Substring]
        var node: Int
        if path.hasPrefix("/") {
            guard path.hasPrefix(root + "/") else { return nil }
            parts = path.dropFirst(root.count).split(separator: "/")
            node = 0
        } else {
            guard let start = open[folder] else { return nil }
            parts = path.split(separator: "/")
            node = start
        }
        guard let name = parts.popLast(), name != "." else { return nil }
        for part in parts {
            guard let next = entries[node]?[String(part)] else { return nil }
            node = next
        }
        return entries[node] == nil ? nil : (node, String(name))
    }
}
