// A file that is not complete yet. Bytes go from the caller's buffer to the disk without a copy. It knows nothing of
// which bytes are there: the caller keeps that and says so when it asks for a checkpoint.

import Glibc
import MirrorCore
import MirrorThreads

/// An open partial file. One thread at a time writes to it; it may be handed from one to the next.
package final class PartialFile: Sendable {
    /// The path it will take.
    package let path: LocalPath
    let folder: PartialFolder
    private let calls: SystemCalls
    private let state: Locked<State>
    /// Removes files that are given up.
    private let thread: WorkerThread<StoreJob>?

    private struct State {
        /// −1 while there is no file yet, and when it is closed.
        var file: Int32
        var name: String
        /// The first bytes of a file that has not been made yet; nil once it has.
        var memory: [UInt8]?
        var sums: BlockSums?
        /// How often it was begun anew. What was asked for before a beginning says nothing of the file since.
        var beginning = 0
        /// Whether it has taken its final name: then there is no partial file that anything could be claimed of.
        var hasLeft = false
    }

    /// A file that is no larger than this when it is sealed never costs its writer a system call: it is made by the
    /// store's thread, together with others. Copying so few bytes costs less than one such call (measured). Bytes.
    private static let largestInMemory = 32 << 10

    /// A file that exists.
    init(
        path: LocalPath, file: Int32, name: String, sums: sending BlockSums?, folder: PartialFolder, calls: SystemCalls,
        thread: WorkerThread<StoreJob>?
    ) {
        self.path = path
        self.folder = folder
        self.calls = calls
        self.thread = thread
        state = Locked(State(file: file, name: name, memory: nil, sums: sums))
    }

    /// A file that is made when its bytes are too many to keep, or have to be on disk.
    init(path: LocalPath, folder: PartialFolder, calls: SystemCalls, thread: WorkerThread<StoreJob>?) {
        self.path = path
        self.folder = folder
        self.calls = calls
        self.thread = thread
        state = Locked(State(file: -1, name: folder.freshName(for: path), memory: [], sums: nil))
    }

    deinit { close() }

    /// The descriptor; −1 when it is closed, which every system call refuses.
    var file: Int32 { state.withLock { $0.file } }
    /// Its name in the folder of partial files.
    var name: String { state.withLock { $0.name } }

    /// Writes all of the bytes.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Failure) {
        let (end, overflow) = offset.addingReportingOverflow(Int64(bytes.count))
        guard offset >= 0, !overflow, end < Int64.max else { throw SystemError(EFBIG).failure }
        if keepInMemory(bytes, at: offset) { return }
        do {
            try spill()
            try calls.write(bytes, to: file, at: offset)
        } catch {
            // Some of it may have been written: what was known of these blocks is no longer so.
            state.withLock { $0.sums?.forget(from: offset, to: end) }
            throw error.failure
        }
        state.withLock { state in
            let sums = state.sums ?? BlockSums()
            state.sums = sums
            sums.add(bytes, at: offset)
        }
    }

    private func keepInMemory(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        state.withLock { state in
            guard let count = state.memory?.count, offset == Int64(count), count + bytes.count <= Self.largestInMemory
            else { return false }
            state.memory?.append(contentsOf: bytes)
            return true
        }
    }

    /// Makes the file of what is in memory, to go on behind it.
    private func spill() throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in
            try make(&state) { sums, bytes in sums.add(bytes, at: 0) }
        }
    }

    /// Makes the file of what is in memory, which is all there is of it for now.
    func settle() throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in try settle(&state) }
    }

    /// Does the same for the file that was begun then.
    /// - Returns: its descriptor; nil where it has been begun anew, or has its final name.
    func settle(since beginning: Int) throws(SystemError) -> Int32? {
        try state.withLock { (state) throws(SystemError) in
            guard state.beginning == beginning, !state.hasLeft else { return nil }
            try settle(&state)
            return state.file
        }
    }

    private func settle(_ state: inout State) throws(SystemError) {
        try make(&state) { sums, bytes in
            if !bytes.isEmpty { sums.learn(BlockSums.sum(of: bytes), of: 0) }
        }
    }

    private func make(
        _ state: inout State, _ learn: (BlockSums, UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) {
        guard let memory = state.memory else { return }
        let made = try folder.make(for: path, name: state.name)
        let sums = state.sums ?? BlockSums()
        var problem: SystemError?
        memory.withUnsafeBytes { bytes in
            do throws(SystemError) {
                try calls.write(bytes, to: made.file, at: 0)
                learn(sums, bytes)
            } catch {
                problem = error
            }
        }
        if let problem {
            // The bytes stay in memory, for another try.
            calls.close(made.file)
            try? folder.remove(made.name)
            throw problem
        }
        (state.file, state.name) = made
        state.memory = nil
        state.sums = sums
    }

    /// Fills the buffer from `offset` on.
    /// - Returns: bytes read; fewer than the buffer holds only at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Failure) -> Int {
        guard offset >= 0 else { throw SystemError(EINVAL).failure }
        if let memory = state.withLock({ $0.memory }) {
            let part = memory.dropFirst(Int(min(offset, Int64(memory.count)))).prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }
        let file = file
        return try failing { () throws(SystemError) in try calls.read(into: buffer, from: file, at: offset) }
    }

    /// Starts again with nothing. The bytes go with their file: were the same file emptied and written anew, a crash
    /// would leave a record of the old bytes beside the new ones.
    package func reset() throws(Failure) {
        let fresh = folder.freshName(for: path)
        let old = state.withLock { state in
            let old = (state.file, state.name, wasMade: state.memory == nil)
            state = State(file: -1, name: fresh, memory: [], sums: nil, beginning: state.beginning + 1)
            return old
        }
        if old.wasMade { giveUp(old.0, old.1) }
    }

    /// Closes and removes the file, soon.
    func giveUp() { giveUp(release(), name) }

    private func giveUp(_ file: Int32, _ name: String) {
        if thread?.add(.giveUp(path, file: file, name: name)) != true, file >= 0 { calls.close(file) }
    }

    /// Closes the file and leaves it where it is.
    package func close() {
        let file = release()
        if file >= 0 { calls.close(file) }
    }

    /// Gives the descriptor away; −1 where there is none.
    func release() -> Int32 {
        state.withLock { state in
            state.memory = nil
            defer { state.file = -1 }
            return state.file
        }
    }

    /// What is to be written down of it, with the sums that are known of the record's ranges, and the beginning that this
    /// is true of.
    func claim(_ record: PartialRecord) -> (stored: StoredPartial, beginning: Int) {
        state.withLock { state in
            let sums = (state.sums?.known ?? []).filter { record.ranges.containsBlock($0.block) }
            return (StoredPartial(record: record, file: state.name, sums: sums), state.beginning)
        }
    }

    /// Its name, if it is still the file that was begun then, and still a partial file.
    func name(since beginning: Int) -> String? {
        state.withLock { $0.beginning == beginning && !$0.hasLeft ? $0.name : nil }
    }

    /// It has its final name.
    func hasLeft() { state.withLock { $0.hasLeft = true } }

    func sum(of block: Int, total: Int64) -> UInt64? {
        state.withLock { $0.sums?.sum(of: block, total: total) }
    }
}

/// The sum of one whole block.
package typealias KnownSum = (block: Int, sum: UInt64)

extension RangeSet {
    /// Whether all bytes of a block are in the set.
    func containsBlock(_ block: Int) -> Bool {
        let first = Int64(block) * Int64(BlockSums.blockSize)
        guard let range = ByteRange(first: first, end: first + Int64(BlockSums.blockSize)) else { return false }
        return contains(range)
    }
}
