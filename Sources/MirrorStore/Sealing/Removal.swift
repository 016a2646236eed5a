// Takes away one file that mirror once fetched, and the folders that it leaves empty. Only the very file that was
// recorded goes, through no symbolic link; a copy is safe on disk before its original is gone.

import Glibc
import MirrorCore

/// The order to remove one recorded file.
package struct RemovalOrder: Sendable {
    package let path: LocalPath
    package let record: FileRecord
    /// Where it is kept, under the same path; nil to let it go.
    package let backup: Root?
    /// Whether only the record is to go, for a file that was gone or another one when this was decided.
    package let forgetsOnly: Bool

    package init(path: LocalPath, record: FileRecord, backup: Root?, forgetsOnly: Bool = false) {
        self.path = path
        self.record = record
        self.backup = backup
        self.forgetsOnly = forgetsOnly
    }
}

/// How a removal ended.
package enum RemovalOutcome: Sendable, Equatable {
    case removed
    /// There was no such file any more.
    case wasGone
    /// It is another file than the recorded one: somebody changed it, and it stays.
    case isForeign
    /// Only its record was to go, but the file is there again: both stay.
    case isBack
}

extension StoreWork {
    func remove(_ order: RemovalOrder) throws(Failure) -> RemovalOutcome {
        let outcome = try takeAway(order)
        if outcome != .isBack { try keeper.apply([.dropFile(order.path)]) }
        return outcome
    }

    private func takeAway(_ order: RemovalOrder) throws(Failure) -> RemovalOutcome {
        let folder: Descriptor, found: stat
        switch try root.standing(of: order.path, order.record) {
        case .gone:
            // A loss of power may have left the folders.
            try removeEmptyFolders(above: order.path)
            return .wasGone
        case .foreign: return .isForeign
        case .recorded where order.forgetsOnly: return .isBack
        case .recorded(let place, let status): (folder, found) = (place, status)
        }
        if let backup = order.backup {
            try keep(order, folder, found, in: backup)
        } else {
            try failing { () throws(SystemError) in
                try root.withName(of: order.path) { (name) throws(SystemError) in
                    try calls.remove(name, in: folder.number)
                }
            }
        }
        try failing { () throws(SystemError) in try calls.syncFolder(folder.number) }
        try removeEmptyFolders(above: order.path)
        return .removed
    }

    /// Those that hold something stay, and so does DIR. They are gone for good when the record goes, for nobody would
    /// look for them again.
    private func removeEmptyFolders(above path: LocalPath) throws(Failure) {
        var folder = path.folder.flatMap { try? LocalPath(String($0)) }
        var parent: Descriptor?
        while let empty = folder {
            do throws(SystemError) {
                let holder = try root.openPlainFolder(of: empty)
                try root.withName(of: empty) { (name) throws(SystemError) in
                    try calls.removeFolder(name, in: holder.number)
                }
                parent = holder
            } catch {
                guard error.code == ENOENT else { break }
            }
            folder = empty.folder.flatMap { try? LocalPath(String($0)) }
        }
        guard let parent else { return }
        try failing { () throws(SystemError) in try calls.syncFolder(parent.number) }
    }

    // MARK: Backups

    private func keep(
        _ order: RemovalOrder, _ folder: Descriptor, _ found: stat, in backup: Root
    ) throws(Failure) {
        var target = backup.descriptor
        if let below = order.path.folder {
            target = try backup.openFolder(String(below)) { made in try? calls.syncFolder(made.number) }
        }
        guard try !isSame(folder, target) else { throw .ownBackup }
        let result = Result { () throws(SystemError) in
            try root.withName(of: order.path) { (name) throws(SystemError) in
                // Two names of one file stay two when the one is renamed to the other (POSIX).
                if let kept = try? calls.status(name, in: target.number), kept.st_dev == found.st_dev,
                    kept.st_ino == found.st_ino
                {
                    try calls.remove(name, in: folder.number)
                } else {
                    try calls.rename(name, in: folder.number, to: name, in: target.number)
                }
            }
        }
        switch result {
        case .success: break
        case .failure(let error) where error.code == EXDEV:
            try copy(order, folder, found, to: target)
        case .failure(let error): throw error.failure
        }
        try failing { () throws(SystemError) in try calls.syncFolder(target.number) }
    }

    /// One folder may be written in two ways, and be mounted at two places: there a file would be its own backup.
    private func isSame(_ one: Descriptor, _ other: Descriptor) throws(Failure) -> Bool {
        try failing { () throws(SystemError) in
            let one = try calls.status(of: one.number), other = try calls.status(of: other.number)
            return one.st_dev == other.st_dev && one.st_ino == other.st_ino
        }
    }

    /// Removes what a killed run left in a folder of the backup. Files come in the order of their folders, so that each
    /// of these is looked through once.
    private func tidy(_ folder: String, _ target: Descriptor) {
        let isTidy = tidiedFolder.withLock { last in
            defer { last = folder }
            return last == folder
        }
        if !isTidy { TemporaryName.removeLeftovers(prefix: ".mirror-", in: target, calls: calls) }
    }

    private func copy(
        _ order: RemovalOrder, _ folder: Descriptor, _ found: stat, to target: Descriptor
    ) throws(Failure) {
        let source = try root.openForReading(order.path)
        tidy(order.path.folder.map { String($0) } ?? "", target)
        let copy = try TemporaryName.make(prefix: ".mirror-", in: target, calls: calls)
        do throws(Failure) {
            let count = try failing { () throws(SystemError) in
                try calls.copy(from: source.number, to: copy.file.number, count: source.file.size)
            }
            guard count == order.record.size else { throw .changedWhileCopied }
            try failing { () throws(SystemError) in
                try calls.setMode(found.st_mode & 0o7777, of: copy.file.number)
                try calls.setTime(source.file.modifiedSeconds, of: copy.file.number)
                try calls.dataSync(copy.file.number)
                try root.withName(of: order.path) { (name) throws(SystemError) in
                    try calls.rename(copy.name, in: target.number, to: name, in: target.number)
                    try calls.syncFolder(target.number)
                }
            }
            // What was written meanwhile is in no backup.
            guard case .recorded(_, let now) = try root.standing(of: order.path, order.record),
                now.st_dev == found.st_dev, now.st_ino == found.st_ino
            else { throw .changedWhileCopied }
            try failing { () throws(SystemError) in
                try root.withName(of: order.path) { (name) throws(SystemError) in
                    try calls.remove(name, in: folder.number)
                }
            }
        } catch {
            try? calls.remove(copy.name, in: target.number)
            throw error
        }
    }
}

extension Store {
    /// What a removal would find, without any change; `.removed` where it would remove the file.
    package func outlook(on path: LocalPath, _ record: FileRecord) -> Result<RemovalOutcome, Failure> {
        guard let root else { return .success(.wasGone) }
        return Result { () throws(Failure) in
            switch try root.standing(of: path, record) {
            case .gone: .wasGone
            case .foreign: .isForeign
            case .recorded: .removed
            }
        }
    }
}

extension Root {
    /// What there is of a recorded file.
    fileprivate enum Standing {
        case gone
        /// Something else bears the name.
        case foreign
        /// The very file, and the folder that holds it.
        case recorded(Descriptor, stat)
    }

    fileprivate func standing(of path: LocalPath, _ record: FileRecord) throws(Failure) -> Standing {
        let folder: Descriptor
        let found: stat
        do throws(SystemError) {
            folder = try openPlainFolder(of: path)
            found = try withName(of: path) { (name) throws(SystemError) in try calls.status(name, in: folder.number) }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return .gone }
            throw error.code == ELOOP ? .behindLink : error.failure
        }
        guard found.kind == S_IFREG, record.describes(try Self.regularFile(found)) else { return .foreign }
        return .recorded(folder, found)
    }

    /// The folder of a path that leads through no symbolic link.
    fileprivate func openPlainFolder(of path: LocalPath) throws(SystemError) -> Descriptor {
        guard let folder = path.folder else { return descriptor }
        return Descriptor(
            try calls.openBeneath(
                String(folder), in: descriptor.number, O_RDONLY | O_DIRECTORY, followsLinks: false), calls: calls)
    }
}

extension Failure {
    fileprivate static let behindLink = Failure(
        .unsafePath, "the file lies behind a symbolic link and is left where it is")
    fileprivate static let ownBackup = Failure(.conflict, "the backup folder is the folder that the file is in")
    fileprivate static let changedWhileCopied = Failure(.io, "the file changed while it was copied")
}
