// The state database and its safety: several threads may ask, one at a time; a database that turns out to be damaged
// is set aside and made anew. It never stops a run because of what was written down before.

import Glibc
import MirrorCore
import MirrorThreads

/// The state database behind a lock.
final class StateKeeper: Sendable {
    /// The state folder; nil for a database that is only looked at.
    private let folder: Descriptor?
    private let path: String
    private let calls: SystemCalls
    private let database: Locked<StateDatabase?>

    /// Opens the database in the state folder, or makes it.
    init(path: String, in folder: Descriptor, calls: SystemCalls) throws(Failure) {
        self.folder = folder
        self.path = path
        self.calls = calls
        database = Locked(nil)
        try database.withLock { (slot) throws(Failure) in slot = try openOrRebuild() }
    }

    /// Looks at a database and never changes it; one that cannot be read counts as empty.
    init(lookingAt path: String, _ access: StateDatabase.Access) {
        folder = nil
        self.path = path
        calls = SystemCalls()
        database = Locked(try? StateDatabase(path, access))
    }

    /// What is only out of reach for now is not set aside: it is as good as ever when the next run finds it.
    private func openOrRebuild() throws(Failure) -> StateDatabase {
        do {
            return try StateDatabase(path, .readWrite)
        } catch {
            guard error.isDamageAtOpening || isSomethingElse || error.isReadOnly && isWritable else {
                throw error.failure
            }
        }
        try setAside()
        do {
            return try StateDatabase(path, .readWrite)
        } catch {
            throw error.failure
        }
    }

    /// Whether what has the name of the database is no file.
    private var isSomethingElse: Bool {
        guard let folder, let found = try? calls.status(StateDatabase.fileName, in: folder.number, followsLinks: true)
        else { return false }
        return found.kind != S_IFREG
    }

    private var isWritable: Bool {
        guard let folder, let file = try? calls.open(StateDatabase.fileName, in: folder.number, O_RDWR | O_NONBLOCK)
        else { return false }
        calls.close(file)
        return true
    }

    private func setAside() throws(Failure) {
        guard let folder else { return }
        for suffix in ["", "-wal", "-shm"] {
            do {
                try calls.rename(
                    StateDatabase.fileName + suffix, in: folder.number,
                    to: StateDatabase.fileName + ".damaged" + suffix, in: folder.number)
            } catch {
                if error.code != ENOENT { throw error.failure }
            }
        }
    }

    /// What `body` reads; nil where the database cannot say.
    func read<Value: Sendable>(_ body: (StateDatabase) throws(DatabaseError) -> Value?) -> Value? {
        database.withLock { (slot) -> Value? in
            guard let open = slot else { return nil }
            do throws(DatabaseError) {
                return try body(open)
            } catch {
                if error.isDamage { rebuild(&slot) }
                return nil
            }
        }
    }

    /// Makes all changes in one transaction, or none.
    /// - Throws: what ends the run, where the database can no longer be written to.
    func apply(_ changes: [StateChange], isDurable: Bool = false) throws(Failure) {
        guard !changes.isEmpty else { return }
        do throws(SystemError) {
            try calls.announceTransaction(changes: changes.count)
        } catch {
            throw error.ofDirectory.failure
        }
        try database.withLock { (slot) throws(Failure) in
            guard let open = slot else { throw Failure(.io, "the state database is closed", endsRun: true) }
            do throws(DatabaseError) {
                try open.apply(changes, isDurable: isDurable)
            } catch {
                guard error.isDamage, rebuild(&slot), let fresh = slot else { throw error.failureOfRun }
                do throws(DatabaseError) {
                    try fresh.apply(changes, isDurable: isDurable)
                } catch {
                    throw error.failureOfRun
                }
            }
        }
    }

    /// - Returns: whether there is a new database; one that is only looked at is just left.
    @discardableResult
    private func rebuild(_ slot: inout StateDatabase?) -> Bool {
        slot = nil
        guard folder != nil else { return false }
        do {
            try setAside()
            slot = try openOrRebuild()
            return true
        } catch {
            return false
        }
    }

    func close() {
        database.withLock { slot in
            if folder != nil { try? slot?.checkpoint() }
            slot = nil
        }
    }
}
