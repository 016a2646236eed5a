// A file system that forgets. Data and size of a file are safe when a later sync of the file covered them, an entry of
// a folder when a later sync of the folder did; what is not safe yet may or may not be there after a loss of power.

/// The disk after some steps of a record: what is safe, and what is on its way.
struct DiskModel {
    /// A change of a file that is not safe yet.
    enum Change {
        case write(offset: Int, bytes: ArraySlice<UInt8>)
        case truncate(size: Int)
    }

    struct File {
        var safe: [UInt8]
        /// As every process sees it.
        var seen: [UInt8]
        var pending: [(step: Int, change: Change)] = []
        /// Nanoseconds since 1970; nil for the moment at which it was written.
        var safeTime: Int64?
        var pendingTimes: [(step: Int, time: Int64)] = []
    }

    struct Folder {
        var safe: [String: Int]
        /// In order; nil takes the name away.
        var pending: [(step: Int, name: String, node: Int?)] = []
        var seen: [String: Int]
    }

    enum Node {
        case file(File)
        case folder(Folder)
    }

    private(set) var nodes: [Node]
    /// For each rename on its way that leads to another folder: which one. A file system never does half of a rename
    /// such that the file has no name at all.
    private(set) var renameTargets: [Int: Int] = [:]
    private(set) var stepCount = 0

    init(_ image: DiskImage) {
        nodes = image.nodes.map { node in
            switch node {
            case .file(let bytes, let modified): .file(File(safe: bytes, seen: bytes, safeTime: modified))
            case .folder(let entries): .folder(Folder(safe: entries, seen: entries))
            }
        }
    }

    mutating func apply(_ step: DiskStep) {
        let index = stepCount
        stepCount += 1
        switch step {
        case .make(let folder, let name, let node, let isFolder):
            precondition(node == nodes.count)
            nodes.append(isFolder ? .folder(Folder(safe: [:], seen: [:])) : .file(File(safe: [], seen: [])))
            set(name, node, in: folder, index)
        case .rename(let from, let name, let to, let newName):
            guard case .folder(let folder) = nodes[from], let node = folder.seen[name] else { return }
            if from != to { renameTargets[index] = to }
            set(newName, node, in: to, index)
            set(name, nil, in: from, index)
        case .remove(let folder, let name): set(name, nil, in: folder, index)
        case .write(let node, let offset, let bytes): change(node, .write(offset: offset, bytes: bytes[...]), index)
        case .copy(let from, let to, let offset, let count):
            guard case .file(let source) = nodes[from] else { return }
            change(to, .write(offset: offset, bytes: source.seen[offset..<offset + count]), index)
        case .truncate(let node, let size): change(node, .truncate(size: size), index)
        case .setTime(let node, let seconds):
            withFile(node) { $0.pendingTimes.append((index, Int64(seconds) * 1_000_000_000)) }
        case .sync(let node, let before, let isDataOnly): sync(node, before, isDataOnly: isDataOnly)
        case .syncAll(let before):
            for node in nodes.indices { sync(node, before, isDataOnly: false) }
        }
    }

    private mutating func withFile(_ node: Int, _ body: (inout File) -> Void) {
        guard case .file(var file) = nodes[node] else { return }
        // So that there is one owner of the bytes, which are then changed where they are.
        nodes[node] = .folder(Folder(safe: [:], seen: [:]))
        body(&file)
        nodes[node] = .file(file)
    }

    private mutating func change(_ node: Int, _ change: Change, _ index: Int) {
        withFile(node) { file in
            file.seen.apply(change)
            file.pending.append((index, change))
        }
    }

    private mutating func set(_ name: String, _ node: Int?, in folder: Int, _ index: Int) {
        guard case .folder(var entries) = nodes[folder] else { return }
        entries.seen[name] = node
        entries.pending.append((index, name, node))
        nodes[folder] = .folder(entries)
    }

    private mutating func sync(_ node: Int, _ before: Int, isDataOnly: Bool) {
        if case .folder(var folder) = nodes[node] {
            for change in folder.pending.prefix(while: { $0.step < before }) { folder.safe[change.name] = change.node }
            folder.pending.removeAll { $0.step < before }
            nodes[node] = .folder(folder)
            return
        }
        withFile(node) { file in
            for change in file.pending where change.step < before { file.safe.apply(change.change) }
            file.pending.removeAll { $0.step < before }
            guard !isDataOnly else { return }
            if let last = file.pendingTimes.last(where: { $0.step < before }) { file.safeTime = last.time }
            file.pendingTimes.removeAll { $0.step < before }
        }
    }
}

extension [UInt8] {
    mutating func apply(_ change: DiskModel.Change) {
        switch change {
        case .write(let offset, let bytes): put(bytes, at: offset)
        case .truncate(let size): truncate(to: size)
        }
    }
}
