// What a run did to the disk, one step after another, as far as a loss of power can see it. Files and folders are
// numbers here: a name is only what a folder holds.

/// One step of a record.
enum DiskStep: Sendable {
    case make(folder: Int, name: String, node: Int, isFolder: Bool)
    case rename(from: Int, name: String, to: Int, newName: String)
    case remove(folder: Int, name: String)
    case write(node: Int, offset: Int, bytes: [UInt8])
    case copy(from: Int, to: Int, offset: Int, count: Int)
    case truncate(node: Int, size: Int)
    case setTime(node: Int, seconds: Int)
    /// Everything that was done to the node by the steps before `before` is safe.
    case sync(node: Int, before: Int, isDataOnly: Bool)
    /// Everything that was done by the steps before `before` is safe.
    case syncAll(before: Int)
}

/// A folder of the machine as it was before the run, all of it safe.
struct DiskImage: Sendable {
    enum Node: Sendable {
        case folder([String: Int])
        case file([UInt8], modified: Int64)
    }

    /// The folder itself is number 0.
    var nodes: [Node]
}

/// A record: what was there, and what was done.
struct DiskRecord: Sendable {
    var start: DiskImage
    var steps: [DiskStep]
}
