// The disk as a run sees it: the files below DIR, what is known of them, and the ways of changing them. What blocks
// runs on threads of the store's own. It decides nothing: the planner asks for facts and the run gives orders.

import Glibc
import MirrorCore
import MirrorThreads

/// An open DIR, for a run or for a look.
package final class Store: Sendable {
    static let reportName = "report.json"

    /// Nil when DIR is missing, which only a look allows.
    package let root: Root?
    package let calls: SystemCalls
    /// Whether DIR held no file when it was opened: then no path has to be looked for.
    private let startsEmpty: Bool
    private let work: StoreWork?
    private let snapshot: StateSnapshot?
    private let mirror: Descriptor?
    private let thread: WorkerThread<StoreJob>?
    let hashing: WorkerThread<HashJob>?
    /// What a look found; a run's are with its work.
    private let seenRecords: [LocalPath: StoredPartial]
    private let seenProof: PartialProof?
    /// Kept by a look, so that no run changes what is looked at.
    private let sharedLocks: Locked<[Descriptor]>

    // MARK: Opening

    /// Opens DIR for a run; makes what is missing.
    /// - Parameters:
    ///   - shard: the part of the entries that the run takes; it has a state, a lock and a report of its own.
    ///   - waitForLock: how long another run is waited for.
    package static func open(
        directory: String, shard: Selection.Shard? = nil, waitForLock: Duration = .zero,
        calls: SystemCalls = SystemCalls()
    ) async throws(StoreProblem) -> Store {
        let opening: StoreOpening
        do throws(Failure) {
            let root = try Root(path: directory, createIfMissing: true, calls: calls)
            opening = StoreOpening(root: root, path: realPath(directory) ?? directory, shard: shard, calls: calls)
        } catch {
            throw .unusable(error)
        }
        let hold = try await opening.takeLock(waiting: waitForLock)
        do throws(Failure) {
            let work = try opening.openWork(hold)
            let thread = WorkerThread.start(
                batchLimit: StoreWork.batchLimit, isPatient: { $0.isPatient }, { work.process($0) })
            guard let thread else { throw SystemError(EAGAIN).failure }
            return try Store(root: opening.root, work: work, mirror: hold.mirror, thread: thread, calls: calls)
        } catch {
            throw .unusable(error)
        }
    }

    /// Looks at DIR, which may be missing, and changes nothing there.
    package static func inspect(
        directory: String, shard: Selection.Shard? = nil, calls: SystemCalls = SystemCalls()
    ) throws(StoreProblem) -> Store {
        do throws(SystemError) {
            _ = try calls.status(directory, in: AT_FDCWD, followsLinks: true)
        } catch {
            if error.code == ENOENT { return try Store(lookingAt: nil, shard, path: directory, calls: calls) }
            throw .unusable(error.failure)
        }
        do throws(Failure) {
            let root = try Root(path: directory, createIfMissing: false, calls: calls)
            return try openForLooking(root, shard, realPath(directory) ?? directory, calls)
        } catch {
            throw error == .heldByRun ? .locked : .unusable(error)
        }
    }

    private static func openForLooking(
        _ root: Root, _ shard: Selection.Shard?, _ path: String, _ calls: SystemCalls
    ) throws(Failure) -> Store {
        do throws(StoreProblem) {
            return try Store(lookingAt: root, shard, path: path, calls: calls)
        } catch .unusable(let failure) {
            throw failure
        } catch {
            throw .heldByRun
        }
    }

    private init(
        root: Root, work: StoreWork, mirror: Descriptor, thread: WorkerThread<StoreJob>, calls: SystemCalls
    ) throws(Failure) {
        self.root = root
        self.calls = calls
        startsEmpty = Self.isEmpty(root)
        self.work = work
        self.mirror = mirror
        self.thread = thread
        snapshot = nil
        seenRecords = [:]
        seenProof = nil
        sharedLocks = Locked([])
        hashing = try Self.startHashing()
    }

    private init(
        lookingAt root: Root?, _ shard: Selection.Shard?, path: String, calls: SystemCalls
    ) throws(StoreProblem) {
        let stateFolder = StoreOpening.stateFolder(of: shard)
        let mirror = Self.openForLooking(stateFolder, in: root, calls)
        self.root = root
        self.calls = calls
        startsEmpty = Self.isEmpty(root)
        self.mirror = mirror
        work = nil
        thread = nil
        var locks: [Descriptor] = []
        // A run of all entries changes what a shard looks at, and the shard itself does.
        for folder in Set([LocalPath.reservedFolder, stateFolder]).sorted() {
            if let lock = try Self.shareLock(Self.openForLooking(folder, in: root, calls), calls) { locks.append(lock) }
        }
        sharedLocks = Locked(locks)
        snapshot = mirror.flatMap {
            StateSnapshot(of: $0, at: "\(path)/\(stateFolder)", outside: path, calls: calls)
        }
        seenRecords = snapshot?.keeper.read { (state) throws(DatabaseError) in try state.partials() } ?? [:]
        seenProof = Self.proof(of: seenRecords.keys, snapshot, mirror, calls)
        do throws(Failure) {
            hashing = try Self.startHashing()
        } catch {
            throw .unusable(error)
        }
    }

    private static func proof(
        of paths: some Sequence<LocalPath>, _ snapshot: StateSnapshot?, _ mirror: Descriptor?, _ calls: SystemCalls
    ) -> PartialProof? {
        guard let snapshot, let mirror, PartialProof.isNeeded(snapshot.keeper, calls: calls),
            let folder = try? calls.openBeneath(
                StoreOpening.partialName, in: mirror.number, O_RDONLY | O_DIRECTORY, followsLinks: false)
        else { return nil }
        return PartialProof(of: paths, in: PartialFolder(Descriptor(folder, calls: calls), calls: calls), calls: calls)
    }

    private static func isEmpty(_ root: Root?) -> Bool {
        guard let root else { return true }
        return (try? root.calls.holdsNothing(but: LocalPath.reservedFolder, in: root.descriptor.number)) ?? false
    }

    private static func openForLooking(_ folder: String, in root: Root?, _ calls: SystemCalls) -> Descriptor? {
        guard let root else { return nil }
        let opened = try? calls.openBeneath(
            folder, in: root.descriptor.number, O_RDONLY | O_DIRECTORY, followsLinks: false)
        return opened.map { Descriptor($0, calls: calls) }
    }

    private static func shareLock(_ mirror: Descriptor?, _ calls: SystemCalls) throws(StoreProblem) -> Descriptor? {
        guard let mirror,
            let file = try? calls.open(StoreOpening.lockName, in: mirror.number, O_RDONLY | O_NOFOLLOW)
        else { return nil }
        let lock = Descriptor(file, calls: calls)
        do throws(SystemError) {
            try calls.lock(file, isExclusive: false)
        } catch {
            throw error.code == EWOULDBLOCK ? .locked : .unusable(error.failure)
        }
        return lock
    }

    private static func startHashing() throws(Failure) -> WorkerThread<HashJob> {
        guard let thread = WorkerThread<HashJob>.start(batchLimit: 1, { $0.forEach { $0.run() } }) else {
            throw SystemError(EAGAIN).failure
        }
        return thread
    }

    deinit {
        thread?.finish(with: .close(nil))
        hashing?.finish(with: .last)
    }

    /// Ends the threads when all that was asked for is done, closes the state and gives the lock back.
    package func close() async {
        hashing?.finish(with: .last)
        sharedLocks.withLock { $0 = [] }
        guard let thread else { return }
        await withUnsafeContinuation { continuation in
            if !thread.finish(with: .close(continuation)) { continuation.resume() }
        }
    }

    // MARK: Facts

    /// All that the disk and the state say of a path; a path that cannot be used is a failure among the facts. To be asked
    /// before the run changes anything.
    package func localFacts(for path: LocalPath) -> LocalFacts {
        var facts = LocalFacts()
        do throws(Failure) {
            facts.file = startsEmpty ? nil : try root?.inspect(path)
        } catch {
            facts.failure = error
        }
        facts.record = keeper?.read { (state) throws(DatabaseError) in try state.fileRecord(of: path) }
        facts.partial = partialRecord(of: path)?.record
        return facts
    }

    /// What is recorded of all partial files.
    package var partialRecords: [LocalPath: PartialRecord] { allPartials.mapValues(\.record) }

    /// Every file that is recorded, with what is known of it.
    /// - Returns: nil where the state cannot be read.
    package func fileRecords() -> [LocalPath: FileRecord]? {
        guard let keeper else { return [:] }
        return keeper.read { (state) throws(DatabaseError) in try state.fileRecords() }
    }

    /// The recorded XXH3-64 of each 1 MiB block of a file.
    package func blockSums(of path: LocalPath) -> [UInt64]? {
        keeper?.read { (state) throws(DatabaseError) in try state.blockSums(of: path) }
    }

    /// The last runs, the latest first.
    package func runs() -> [RunRecord] {
        keeper?.read { (state) throws(DatabaseError) in try state.runs() } ?? []
    }

    /// Which names the volume takes for one, as far as it can be told without changing what must not be changed.
    /// - Parameter hasAccents: whether names with accents are to be told apart.
    package func folding(hasAccents: Bool) -> NameFolding {
        guard let root else { return .none }
        return VolumeProbe(root: root, mirror: mirror, calls: calls).folding(mayWrite: work != nil && hasAccents)
    }

    private var keeper: StateKeeper? { work?.keeper ?? snapshot?.keeper }

    private var allPartials: [LocalPath: StoredPartial] { work?.records.withLock { $0 } ?? seenRecords }

    func partialRecord(of path: LocalPath) -> StoredPartial? {
        guard let work else { return seenRecords[path] }
        return work.records.withLock { $0[path] }
    }

    // MARK: Partial files

    private var proof: PartialProof? { work?.proof ?? seenProof }

    /// Whether the recorded partial file still holds what was recorded of it. After a new start of the machine its blocks
    /// are read for that, on the hashing thread, until the task is cancelled; one that does not hold is dropped.
    /// - Parameter provesGaps: whether the bytes before a gap are fetched again and compared.
    package func holdsPartial(of path: LocalPath, provesGaps: Bool) async -> Bool {
        guard let proof, proof.isMissing(for: path), let stored = partialRecord(of: path) else { return true }
        let isCancelled = Locked(false)
        let verdict = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let job = HashJob.prove(
                    stored, proof, provesGaps: provesGaps, isCancelled: isCancelled, continuation)
                if hashing?.add(job) != true { continuation.resume(returning: .cancelled) }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        switch verdict {
        case .holds: work?.settle(path)
        case .broken: drop(path)
        case .cancelled: break
        }
        return verdict == .holds
    }

    /// Makes a new, empty partial file. What was known of an earlier one is dropped.
    package func makePartial(for path: LocalPath) throws(Failure) -> PartialFile {
        let work = try writable()
        if partialRecord(of: path) != nil { drop(path) }
        return PartialFile(path: path, folder: work.partials, calls: calls, thread: thread)
    }

    /// Opens the recorded partial file; its bytes stay. One of which `holdsPartial` has yet to be asked cannot be opened.
    package func openPartial(for path: LocalPath, record: PartialRecord) throws(Failure) -> PartialFile {
        let work = try writable()
        guard let stored = partialRecord(of: path), stored.record == record,
            proof?.isMissing(for: path) != true
        else {
            throw Failure(.io, "the partial file is no longer what was recorded")
        }
        let file = try failing { () throws(SystemError) in try work.partials.open(stored.file) }
        let sums = BlockSums()
        for known in stored.sums { sums.learn(known.sum, of: known.block) }
        return openPartial(path, file, stored.file, sums, work)
    }

    /// Makes a partial file of the file that has the name now. Where that has other names too, is a symbolic link or
    /// lies on another file system, it is copied and stays where it is.
    /// - Parameter size: the bytes it has.
    package func takeOver(
        _ path: LocalPath, size: Int64, generation: Generation, url: String
    ) async throws(Failure) -> PartialFile {
        let order = TakeOverOrder(path: path, size: size, generation: generation, url: url)
        let result = await withUnsafeContinuation { continuation in
            if thread?.add(.takeOver(order, continuation)) != true {
                continuation.resume(returning: .failure(.notOpen))
            }
        }
        let file = try result.get()
        return openPartial(path, file.descriptor, file.name, nil, try writable())
    }

    private func openPartial(
        _ path: LocalPath, _ file: Int32, _ name: String, _ sums: sending BlockSums?, _ work: StoreWork
    ) -> PartialFile {
        PartialFile(path: path, file: file, name: name, sums: sums, folder: work.partials, calls: calls, thread: thread)
    }

    private func writable() throws(Failure) -> StoreWork {
        guard let work else { throw .notOpen }
        return work
    }

    // MARK: Orders

    /// Brings the bytes to the disk, then writes down that the record's ranges are there. Does nothing where the file is
    /// begun anew meanwhile: then nobody needs it.
    package func checkpoint(_ partial: PartialFile, record: PartialRecord) async -> Failure? {
        let claim = partial.claim(record)
        return await withUnsafeContinuation { continuation in
            if thread?.add(.checkpoint(partial, claim.stored, since: claim.beginning, continuation)) != true {
                continuation.resume(returning: .notOpen)
            }
        }
    }

    /// Gives a complete partial file its name and records it. Files that are waiting at the same time share their
    /// syncs and their transaction.
    /// - Returns: the file as it is on disk then. A failure leaves what had the name before as it was; where only the sync
    ///   of the folder or the record failed, the new file has the name already, and the failure says so.
    package func seal(_ order: SealOrder) async -> Result<LocalFile, Failure> {
        await withUnsafeContinuation { continuation in
            if thread?.add(.seal(order, continuation)) != true { continuation.resume(returning: .failure(.notOpen)) }
        }
    }

    /// Removes a recorded file, where it is still the one that was recorded.
    package func remove(_ order: RemovalOrder) async -> Result<RemovalOutcome, Failure> {
        await withUnsafeContinuation { continuation in
            if thread?.add(.remove(order, continuation)) != true { continuation.resume(returning: .failure(.notOpen)) }
        }
    }

    /// Forgets and removes the recorded partial file of a path, soon.
    package func drop(_ path: LocalPath) { thread?.add(.drop(path)) }

    /// Closes and removes an open partial file and forgets what is recorded of it, soon.
    package func discard(_ partial: PartialFile) {
        partial.giveUp()
    }

    package func recordRun(_ run: RunRecord) async -> Failure? {
        await withUnsafeContinuation { continuation in
            if thread?.add(.recordRun(run, continuation)) != true { continuation.resume(returning: .notOpen) }
        }
    }

    /// Returns when everything that was asked for before is done.
    package func settle() async {
        await withUnsafeContinuation { continuation in
            if thread?.add(.wait(continuation)) != true { continuation.resume() }
        }
    }

    /// Hashes a partial file, on the hashing thread.
    package func checksum(
        of partial: PartialFile, _ algorithm: ChecksumAlgorithm
    ) async -> Result<Checksum, Failure> {
        await checksum(of: .partial(partial), algorithm)
    }

    /// Hashes the file under that path, on the hashing thread.
    package func checksum(of path: LocalPath, _ algorithm: ChecksumAlgorithm) async -> Result<Checksum, Failure> {
        guard let root else { return .failure(SystemError(ENOENT).failure) }
        return await checksum(of: .file(path, root), algorithm)
    }

    private func checksum(
        of source: HashJob.Source, _ algorithm: ChecksumAlgorithm
    ) async -> Result<Checksum, Failure> {
        await withUnsafeContinuation { continuation in
            if hashing?.add(.hash(source, algorithm, continuation)) != true {
                continuation.resume(returning: .failure(.notOpen))
            }
        }
    }

    /// The last run's report, to be written whole or not at all.
    package func reportFile() throws(Failure) -> AtomicFile {
        guard work != nil, let mirror else { throw .notOpen }
        return try AtomicFile(named: Self.reportName, in: mirror, calls: calls)
    }
}

extension Failure {
    static let notOpen = Failure(.io, "the directory is not open for writing")
    fileprivate static let heldByRun = Failure(.io, "another run has the directory")
}
