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

    package init(path: LocalPath, record: FileRecord, backup: Root?) {
        self.path = path
        self.record = record
        self.backup = backup
    }
}

/// How a removal ended.
package enum RemovalOutcome: Sendable, Equatable {
    case removed
    /// There was no such file any more.
    case wasGone
    /// It is another file than the recorded one: somebody changed it, and it stays.
    case isForeign
}

extension StoreWork {
    func remove(_ order: RemovalOrder) throws(Failure) -> RemovalOutcome {
        let outcome = try takeAway(order)
        try keeper.apply([.dropFile(order.path)])
        return outcome
    }

    private func takeAway(_ order: RemovalOrder) throws(Failure) -> RemovalOutcome {
        let folder: Descriptor
        let found: stat
        do throws(SystemError) {
            folder = try openPlainFolder(of: order.path)
            found = try root.withName(of: order.path) { (name) throws(SystemError) in
                try calls.status(name, in: folder.number)
            }
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return .wasGone }
            throw error.code == ELOOP ? .behindLink : error.failure
        }
        guard found.kind == S_IFREG, order.record.describes(try Root.regularFile(found)) else { return .isForeign }
        if let backup = order.backup {
            try keep(order, folder, mode: found.st_mode & 0o7777, in: backup)
        } else {
            try failing { () throws(SystemError) in
                try root.withName(of: order.path) { (name) throws(SystemError) in
                    try calls.remove(name, in: folder.number)
                }
            }
        }
        try failing { () throws(SystemError) in try calls.sync(folder.number) }
        removeEmptyFolders(above: order.path)
        return .removed
    }

    /// The folder of a path that leads through no symbolic link.
    private func openPlainFolder(of path: LocalPath) throws(SystemError) -> Descriptor {
        guard let folder = path.folder else { return root.descriptor }
        return Descriptor(
            try calls.openBeneath(
                String(folder), in: root.descriptor.number, O_RDONLY | O_DIRECTORY, followsLinks: false), calls: calls)
    }

    /// Those that hold something stay, and so does DIR.
    private func removeEmptyFolders(above path: LocalPath) {
        var folder = path.folder.flatMap { try? LocalPath(String($0)) }
        while let empty = folder {
            do throws(SystemError) {
                let parent = try openPlainFolder(of: empty)
                try root.withName(of: empty) { (name) throws(SystemError) in
                    try calls.removeFolder(name, in: parent.number)
                }
            } catch {
                return
            }
            folder = empty.folder.flatMap { try? LocalPath(String($0)) }
        }
    }

    // MARK: Backups

    private func keep(
        _ order: RemovalOrder, _ folder: Descriptor, mode: mode_t, in backup: Root
    ) throws(Failure) {
        var target = backup.descriptor
        if let below = order.path.folder {
            target = try backup.openFolder(String(below)) { made in try? calls.sync(made.number) }
        }
        let result = Result { () throws(SystemError) in
            try root.withName(of: order.path) { (name) throws(SystemError) in
                try calls.rename(name, in: folder.number, to: name, in: target.number)
            }
        }
        switch result {
        case .success: break
        case .failure(let error) where error.code == EXDEV: try copy(order, folder, mode: mode, to: target)
        case .failure(let error): throw error.failure
        }
        try failing { () throws(SystemError) in try calls.sync(target.number) }
    }

    private func copy(
        _ order: RemovalOrder, _ folder: Descriptor, mode: mode_t, to target: Descriptor
    ) throws(Failure) {
        let source = try root.openForReading(order.path)
        let copy = try TemporaryName.make(prefix: ".mirror-", in: target, calls: calls)
        do throws(Failure) {
            let count = try failing { () throws(SystemError) in
                try calls.copy(from: source.number, to: copy.file.number, count: source.file.size)
            }
            guard count == order.record.size else { throw .changedWhileCopied }
            try failing { () throws(SystemError) in
                try calls.setMode(mode, of: copy.file.number)
                try calls.setTime(source.file.modifiedSeconds, of: copy.file.number)
                try calls.dataSync(copy.file.number)
                try root.withName(of: order.path) { (name) throws(SystemError) in
                    try calls.rename(copy.name, in: target.number, to: name, in: target.number)
                    try calls.sync(target.number)
                    try calls.remove(name, in: folder.number)
                }
            }
        } catch {
            try? calls.remove(copy.name, in: target.number)
            throw error
        }
    }
}

extension Failure {
    fileprivate static let behindLink = Failure(
        .unsafePath, "the file lies behind a symbolic link and is left where it is")
    fileprivate static let changedWhileCopied = Failure(.io, "the file changed while it was copied")
}
