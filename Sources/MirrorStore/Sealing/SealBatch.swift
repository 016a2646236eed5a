// Several files that take their names together, so that one sync can serve many. The order is what makes it safe:
// data on disk, then the name, then the folder on disk; the caller writes the record after that. A file that fails
// leaves the others going on, and the old file as it was unless it had its name already.

import Glibc
import MirrorCore

/// The files of one batch. Used by one thread.
final class SealBatch {
    /// Smaller files are synced together.
    static let smallSize: Int64 = 1 << 20
    /// With more small files than this, one sync of the file system is quicker than one for each.
    static let syncLimit = 8
    /// Folders that are kept open at once.
    static let folderLimit = 128

    private let root: Root
    private let partials: PartialFolder
    private let calls: SystemCalls
    private var folders: [String: Descriptor] = [:]
    private var changedFolders: [ObjectIdentifier: (folder: Descriptor, seals: [Int])] = [:]
    private(set) var seals: [Seal]

    /// One file on its way.
    struct Seal {
        let order: SealOrder
        var sums: [UInt64] = []
        var mode: mode_t = 0
        /// The file that takes the name, as it was before.
        var placed = LocalFile(size: 0, modified: 0)
        var identity = FileIdentity()
        /// The file that was found under the name at the end.
        var file: LocalFile?
        /// Whether it has its final name. What fails after that does not bring the old file back.
        var isNamed = false
        /// Whether the partial file still has its own name: where its bytes were copied, and where nothing was done yet.
        var keepsPartial = true
        var failure: Failure?
    }

    init(_ orders: [SealOrder], root: Root, partials: PartialFolder, calls: SystemCalls) {
        seals = orders.map { Seal(order: $0) }
        self.root = root
        self.partials = partials
        self.calls = calls
    }

    /// Takes all of them from complete to named. What failed says so in its seal.
    func run() {
        attempt { index throws(Failure) in try self.prepare(index) }
        syncData()
        attempt { index throws(Failure) in try self.place(index) }
        syncFolders()
    }

    private func attempt(_ step: (Int) throws(Failure) -> Void) { attempt(Array(seals.indices), step) }

    private func attempt(_ indices: [Int], _ step: (Int) throws(Failure) -> Void) {
        for index in indices where seals[index].failure == nil {
            do throws(Failure) {
                try step(index)
            } catch {
                seals[index].failure = judged(error, seals[index].order.path)
            }
        }
    }

    /// A file system of its own below DIR that is full ends no run: the other files have room.
    private func judged(_ failure: Failure, _ path: LocalPath) -> Failure {
        guard failure.code == .diskFull, let device = root.device(of: path),
            let own = try? (calls.status(of: root.descriptor.number).st_dev, calls.status(of: partials.number).st_dev)
        else { return failure }
        return device == own.0 || device == own.1 ? failure : failure.ofOneFile
    }

    // MARK: Data

    private func prepare(_ index: Int) throws(Failure) {
        let order = seals[index].order
        // Zeros in a hole have the right size too.
        guard order.have.isComplete(total: order.size) else {
            throw .truncated(received: order.have.count, expected: order.size)
        }
        let status = try failing { () throws(SystemError) in
            try order.partial.settle()
            return try calls.status(of: order.partial.file)
        }
        guard Int64(status.st_size) == order.size else {
            throw Failure(.sizeMismatch, "\(order.size) bytes were expected, \(status.st_size) are there")
        }
        seals[index].mode = status.st_mode & 0o777
        seals[index].placed = LocalFile(size: order.size, modified: status.modified)
        seals[index].identity = FileIdentity(status)
        seals[index].sums = try sums(of: order)
        if let modified = order.modified {
            try failing { () throws(SystemError) in try calls.setTime(modified.seconds, of: order.partial.file) }
            seals[index].placed.modified = LocalFile.nanoseconds(seconds: modified.seconds)
        }
    }

    /// The sums of all blocks; those that did not pass in order are read again.
    private func sums(of order: SealOrder) throws(Failure) -> [UInt64] {
        var sums: [UInt64] = []
        let count = BlockSums.blockCount(order.size)
        sums.reserveCapacity(count)
        for block in 0..<count {
            if let known = order.partial.sum(of: block, total: order.size) {
                sums.append(known)
            } else {
                sums.append(try BlockReader.sum(of: block, in: order.partial))
            }
        }
        return sums
    }

    private func syncData() {
        let small = seals.indices.filter { seals[$0].failure == nil && seals[$0].order.size < Self.smallSize }
        let isShared = small.count > Self.syncLimit && syncFileSystem()
        attempt { index throws(Failure) in
            let order = seals[index].order
            if isShared, order.size < Self.smallSize { return }
            try failing { () throws(SystemError) in try calls.dataSync(order.partial.file) }
        }
    }

    // MARK: Names

    private func place(_ index: Int) throws(Failure) {
        let order = seals[index].order
        let folder = try folder(of: order.path)
        do throws(RenameProblem) {
            try giveName(order.partial.name, in: partials.number, order, seals[index].mode, order.partial.file, folder)
            order.partial.hasLeft()
            seals[index].keepsPartial = false
        } catch {
            guard error == .acrossFileSystems else { throw error.asFailure }
            try copy(index, to: folder)
        }
        seals[index].isNamed = true
        changedFolders[ObjectIdentifier(folder), default: (folder, [])].seals.append(index)
    }

    /// Looks at what bears the name now, as the last step of all: that alone is what the report may say. The file is open
    /// until then, so that no other can have its number.
    private func confirm(_ index: Int, in folder: Descriptor) throws(Failure) {
        let order = seals[index].order
        let found = try status(of: order.path, in: folder)
        seals[index].isNamed = false
        let file = try found.map { (found) throws(Failure) in try Root.regularFile(found) }
        let isSame = found.map(FileIdentity.init) == seals[index].identity
        if let fault = FinalName.fault(file, placed: seals[index].placed, isSame: isSame) { throw fault }
        seals[index].isNamed = true
        seals[index].file = file
        order.partial.close()
    }

    private enum RenameProblem: Error, Equatable {
        case acrossFileSystems
        case other(Failure)

        var asFailure: Failure {
            switch self {
            case .acrossFileSystems: SystemError(EXDEV).failure
            case .other(let failure): failure
            }
        }
    }

    /// Renames a complete file. Directly before that, and not earlier, it is looked whether what has the name may lose it:
    /// copying can take minutes.
    /// - Parameters:
    ///   - mode: the permissions that the file has.
    ///   - file: the file, open.
    private func giveName(
        _ name: String, in home: Int32, _ order: SealOrder, _ mode: mode_t, _ file: Int32, _ folder: Descriptor
    ) throws(RenameProblem) {
        do {
            try rename(name, in: home, to: order.path, in: folder, replaces: false)
            return
        } catch {
            // EINVAL: a file system that cannot keep from replacing.
            if error.code == EXDEV { throw .acrossFileSystems }
            guard error.code == EEXIST || error.code == EINVAL || error.code == ENOSYS else {
                throw .other(error.failure)
            }
        }
        do throws(Failure) {
            let old = try oldMode(of: order, in: folder)
            try failing { () throws(SystemError) in
                if let old, old != mode { try calls.setMode(old, of: file) }
                try rename(name, in: home, to: order.path, in: folder, replaces: true)
            }
        } catch {
            throw .other(error)
        }
    }

    private func rename(
        _ name: String, in home: Int32, to path: LocalPath, in folder: Descriptor, replaces: Bool
    ) throws(SystemError) {
        try root.withName(of: path) { (final) throws(SystemError) in
            try calls.rename(name, in: home, to: final, in: folder.number, replaces: replaces)
        }
    }

    /// The permissions of the file that is about to be replaced; nil where there is none, or a symbolic link.
    /// - Throws: where it is not the file that was to be replaced.
    private func oldMode(of order: SealOrder, in folder: Descriptor) throws(Failure) -> mode_t? {
        guard let old = try status(of: order.path, in: folder), old.kind != S_IFLNK else { return nil }
        if let refusal = FinalName.refusal(toReplace: try Root.regularFile(old), planned: order.planned) {
            throw refusal
        }
        return old.st_mode & 0o777
    }

    /// What bears the name itself, be it a link; nil for nothing.
    private func status(of path: LocalPath, in folder: Descriptor) throws(Failure) -> stat? {
        do throws(SystemError) {
            return try root.withName(of: path) { (name) throws(SystemError) in
                try calls.status(name, in: folder.number)
            }
        } catch {
            if error.code == ENOENT { return nil }
            throw error.failure
        }
    }

    /// The target folder lies on another file system: the bytes go there under a name of their own first. The partial
    /// file stays until the new one is on the disk and recorded.
    private func copy(_ index: Int, to folder: Descriptor) throws(Failure) {
        let order = seals[index].order
        let old = try oldMode(of: order, in: folder)
        // The name is that of the path alone: what a run that was killed left there goes when the path is sealed next.
        let temporary = try TemporaryName.make(
            named: ".mirror-\(PartialFolder.hashText(of: order.path))", in: folder, calls: calls)
        defer { if !temporary.isDone { try? calls.remove(temporary.name, in: folder.number) } }
        let file = temporary.file.number
        let status = try failing { () throws(SystemError) in
            let copied = try calls.copy(from: order.partial.file, to: file, count: order.size)
            guard copied == order.size else { throw SystemError(EIO) }
            if let old { try calls.setMode(old, of: file) }
            if let modified = order.modified { try calls.setTime(modified.seconds, of: file) }
            try calls.sync(file)
            return try calls.status(of: file)
        }
        do throws(RenameProblem) {
            try giveName(temporary.name, in: folder.number, order, status.st_mode & 0o777, file, folder)
        } catch {
            throw error.asFailure
        }
        temporary.isDone = true
        seals[index].identity = FileIdentity(status)
    }

    // MARK: Folders

    private func folder(of path: LocalPath) throws(Failure) -> Descriptor {
        guard let folder = path.folder else { return root.descriptor }
        let text = String(folder)
        if let open = folders[text] { return open }
        if folders.count >= Self.folderLimit { syncFolders() }
        let open = try root.openFolder(text) { parent in
            changedFolders[ObjectIdentifier(parent), default: (parent, [])].seals += []
        }
        folders[text] = open
        return open
    }

    /// Brings the new names to the disk. Where that fails, the files in that folder have failed.
    private func syncFolders() {
        let changed = Array(changedFolders.values)
        changedFolders = [:]
        folders = [:]
        let isShared = changed.count > Self.syncLimit
        let home = isShared ? try? calls.status(of: partials.number).st_dev : nil
        // Each fsync of a folder makes the disk empty its cache; one sync of the file system does so once.
        let isSynced = home != nil && syncFileSystem()
        for (folder, placed) in changed {
            do throws(SystemError) {
                let isIncluded = isSynced ? try calls.status(of: folder.number).st_dev == home : false
                if !isIncluded { try calls.syncFolder(folder.number) }
                confirm(placed, in: folder)
            } catch {
                for index in placed { seals[index].failure = judged(error.failure, seals[index].order.path) }
            }
        }
    }

    /// - Returns: false where each file has to be asked for itself: an error of the file system may be that of any file of
    ///   any process.
    private func syncFileSystem() -> Bool { (try? calls.syncFileSystem(partials.number)) != nil }

    private func confirm(_ placed: [Int], in folder: Descriptor) {
        attempt(placed) { index throws(Failure) in try self.confirm(index, in: folder) }
    }
}

/// Which file it is, on this machine and for now.
struct FileIdentity: Equatable {
    private var device: dev_t = 0
    private var number: ino_t = 0

    init() {}

    init(_ status: stat) {
        device = status.st_dev
        number = status.st_ino
    }
}
