// A short file that somebody else left under the final name becomes a partial file. It is moved only after the state
// says durably whose bytes they are: a crash at any instant leaves them under one of the two names and known.

import Glibc
import MirrorCore

extension StoreWork {
    func takeOver(_ order: TakeOverOrder) throws(Failure) -> TakenFile {
        guard let range = ByteRange(first: 0, end: order.size), order.size <= order.generation.total else {
            throw Failure(.io, "there are no bytes to go on from")
        }
        let record = PartialRecord(url: order.url, generation: order.generation, ranges: RangeSet([range]))
        if let partial = try move(order, record) { return partial }
        return try copy(order, record)
    }

    /// - Returns: nil where the file must stay where it is.
    private func move(_ order: TakeOverOrder, _ record: PartialRecord) throws(Failure) -> TakenFile? {
        guard let file = try openMovable(order) else { return nil }
        var isTaken = false
        defer { if !isTaken { calls.close(file) } }
        let name = partials.freshName(for: order.path)
        let folder = try root.openExistingFolder(of: order.path)
        // Whoever wrote the bytes may not have brought them to the disk, and the record says that they are there.
        try failing { () throws(SystemError) in try calls.dataSync(file) }
        try store(StoredPartial(record: record, file: name, sums: []), order.path)
        do throws(SystemError) {
            try root.withName(of: order.path) { (final) throws(SystemError) in
                try calls.rename(final, in: folder.number, to: name, in: partials.number, replaces: false)
            }
        } catch {
            try forget(order.path)
            if error.code == EXDEV || error.code == EINVAL { return nil }
            throw error.failure
        }
        try failing { () throws(SystemError) in
            try calls.syncFolder(partials.number)
            try calls.syncFolder(folder.number)
        }
        isTaken = true
        return TakenFile(descriptor: file, name: name)
    }

    /// The file, open, if it may be moved: not a symbolic link, one name only, on the file system of the partial files,
    /// and ours to write.
    private func openMovable(_ order: TakeOverOrder) throws(Failure) -> Int32? {
        let file: Int32
        do throws(SystemError) {
            guard let link = try root.linkStatus(of: order.path), link.kind == S_IFREG else { return nil }
            file = try calls.openBeneath(order.path.text, in: root.descriptor.number, O_RDWR | O_NONBLOCK)
        } catch {
            if error.code == EACCES || error.code == EROFS || error.code == ETXTBSY { return nil }
            throw error.failure
        }
        do throws(Failure) {
            let (status, home) = try failing { () throws(SystemError) in
                (try calls.status(of: file), try calls.status(of: partials.number))
            }
            guard try Root.regularFile(status).size == order.size else { throw .localFileChanged }
            if status.st_nlink == 1, status.st_dev == home.st_dev { return file }
            calls.close(file)
            return nil
        } catch {
            calls.close(file)
            throw error
        }
    }

    private func copy(_ order: TakeOverOrder, _ record: PartialRecord) throws(Failure) -> TakenFile {
        let source = try root.openForReading(order.path)
        guard source.file.size == order.size else { throw .localFileChanged }
        let made = try failing { () throws(SystemError) in
            try partials.make(for: order.path, name: partials.freshName(for: order.path))
        }
        do throws(Failure) {
            let copied = try failing { () throws(SystemError) in
                let copied = try calls.copy(from: source.number, to: made.file, count: order.size)
                try calls.dataSync(made.file)
                return copied
            }
            guard copied == order.size else { throw .localFileChanged }
            try store(StoredPartial(record: record, file: made.name, sums: []), order.path)
        } catch {
            calls.close(made.file)
            try? partials.remove(made.name)
            throw error
        }
        return TakenFile(descriptor: made.file, name: made.name)
    }

    private func store(_ stored: StoredPartial, _ path: LocalPath) throws(Failure) {
        try keeper.apply([.storePartial(path, stored)], isDurable: true)
        let old = records.withLock { $0.updateValue(stored, forKey: path)?.file }
        settle(path)
        if let old { try? partials.remove(old) }
    }

    private func forget(_ path: LocalPath) throws(Failure) {
        try keeper.apply([.dropPartial(path)])
        records.withLock { $0[path] = nil }
    }
}
