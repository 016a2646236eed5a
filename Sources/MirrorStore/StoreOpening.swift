// How a run gets hold of DIR: the folder, the lock, the state, and the tidying of what a run that was killed left.

import Glibc
import MirrorCore

/// The steps of opening a store for a run.
struct StoreOpening {
    static let lockName = "lock"
    static let partialName = "partial"
    private static let lockInterval = Duration.milliseconds(100)

    let root: Root
    /// The path of DIR, absolute.
    let path: String
    /// The part of the entries that the run takes; nil for all.
    let shard: Selection.Shard?
    let calls: SystemCalls

    /// A folder of states and the locks that make it this run's own.
    typealias Hold = (mirror: Descriptor, locks: [Descriptor])

    /// Where the state of a run is, from DIR.
    static func stateFolder(of shard: Selection.Shard?) -> String {
        guard let shard else { return LocalPath.reservedFolder }
        return "\(LocalPath.reservedFolder)/shard-\(shard.index)-of-\(shard.count)"
    }

    /// Takes the lock, or waits for it.
    func takeLock(waiting time: Duration) async throws(StoreProblem) -> Hold {
        let deadline = ContinuousClock.now + time
        while true {
            let attempt: Hold?
            do throws(SystemError) {
                attempt = try tryLock()
            } catch {
                throw .unusable(error.failure)
            }
            if let attempt { return attempt }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .locked }
            do {
                try await Task.sleep(for: min(left, Self.lockInterval))
            } catch {
                throw .locked
            }
        }
    }

    /// Shards of one DIR run side by side, but never beside a run of all entries.
    private func tryLock() throws(SystemError) -> Hold? {
        let mirror = try folder(LocalPath.reservedFolder, in: root.descriptor)
        guard let lock = try tryLock(mirror, isExclusive: shard == nil) else { return nil }
        guard shard != nil else { return (mirror, [lock]) }
        let name = Self.stateFolder(of: shard).utf8.dropFirst(LocalPath.reservedFolder.utf8.count + 1)
        let own = try folder(String(decoding: Array(name), as: UTF8.self), in: mirror)
        return try tryLock(own, isExclusive: true).map { (own, [lock, $0]) }
    }

    private func tryLock(_ mirror: Descriptor, isExclusive: Bool) throws(SystemError) -> Descriptor? {
        let lock = Descriptor(
            try calls.open(Self.lockName, in: mirror.number, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600), calls: calls)
        do {
            try calls.lock(lock.number, isExclusive: isExclusive)
        } catch {
            guard error.code == EWOULDBLOCK else { throw error }
            return nil
        }
        // Somebody may have deleted the folder while the lock was taken: then it is a lock on nothing.
        let held = try calls.status(of: lock.number)
        return try inode(ofLockIn: mirror) == held.st_ino ? lock : nil
    }

    private func inode(ofLockIn mirror: Descriptor) throws(SystemError) -> ino_t? {
        do {
            return try calls.status(Self.lockName, in: mirror.number).st_ino
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    func folder(_ name: String, in parent: Descriptor) throws(SystemError) -> Descriptor {
        do {
            try calls.makeFolder(name, in: parent.number, mode: 0o700)
            // What is moved into it must not be lost with it.
            try calls.syncFolder(parent.number)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        return Descriptor(
            try calls.openBeneath(name, in: parent.number, O_RDONLY | O_DIRECTORY, followsLinks: false), calls: calls)
    }

    /// Everything behind the lock.
    func openWork(_ hold: Hold) throws(Failure) -> StoreWork {
        let mirror = hold.mirror
        let partials = try failing { () throws(SystemError) in
            try calls.testWritable(root.descriptor.number)
            return PartialFolder(try folder(Self.partialName, in: mirror), calls: calls)
        }
        let keeper = try StateKeeper(
            path: "\(path)/\(Self.stateFolder(of: shard))/\(StateDatabase.fileName)", in: mirror, calls: calls)
        var records = keeper.read { (state) throws(DatabaseError) in try state.partials() } ?? [:]
        let proof = try reconcile(&records, partials, keeper)
        try failing { () throws(SystemError) in try removeTemporaries(mirror) }
        return StoreWork(
            root: root, partials: partials, keeper: keeper, records: records, proof: proof, locks: hold.locks,
            calls: calls)
    }

    /// Makes the records and the partial files agree: neither stays without the other, and no record claims bytes
    /// behind the end of its file.
    /// - Returns: what has yet to be proved of them; nil where the machine has run since they were written.
    private func reconcile(
        _ records: inout [LocalPath: StoredPartial], _ partials: PartialFolder, _ keeper: StateKeeper
    ) throws(Failure) -> PartialProof? {
        var orphans = try failing { () throws(SystemError) in Set(try calls.list(partials.number)) }
        var changes: [StateChange] = []
        for (path, stored) in records {
            let held = orphans.contains(stored.file) ? held(of: stored, partials) : nil
            records[path] = held
            if let held {
                orphans.remove(stored.file)
                if held.record != stored.record { changes.append(.storePartial(path, held)) }
            } else {
                changes.append(.dropPartial(path))
            }
        }
        let isNeeded = PartialProof.isNeeded(keeper, calls: calls)
        let proof = isNeeded ? PartialProof(of: records.keys, in: partials, calls: calls) : nil
        if proof?.takeEnd() == true, let start = calls.machineStart() { changes.append(.storeMachineStart(start)) }
        try keeper.apply(changes)
        for name in orphans { try? partials.remove(name) }
        return proof
    }

    /// What is there of what was recorded. A file that is larger than it can become was written to by somebody else. One
    /// that has another name too is the file under its final name, which nobody may write to: a loss of power can keep
    /// both names of a file that was being renamed.
    private func held(of stored: StoredPartial, _ partials: PartialFolder) -> StoredPartial? {
        guard let status = try? calls.status(stored.file, in: partials.number), status.kind == S_IFREG,
            status.st_nlink == 1, Int64(status.st_size) <= stored.record.generation.total
        else { return nil }
        var held = stored
        held.clamp(to: Int64(status.st_size))
        return held.record.ranges.isEmpty ? nil : held
    }

    /// Reports that were not finished.
    private func removeTemporaries(_ mirror: Descriptor) throws(SystemError) {
        for name in try calls.list(mirror.number) where name.utf8.starts(with: ".\(Store.reportName).".utf8) {
            try? calls.remove(name, in: mirror.number)
        }
    }
}
