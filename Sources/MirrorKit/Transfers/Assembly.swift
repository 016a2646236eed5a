// The bytes of one file while they come together: the partial file, which of its bytes are there, and the state of
// the remote file that they belong to. It asks no server and decides nothing about attempts.

import MirrorCore
import MirrorStore
import MirrorURL

/// One file in the making. Used on the loop's thread only; what blocks is handed to the store's threads.
final class Assembly {
    private let store: Store
    private let path: LocalPath
    /// Where the bytes come from, without secrets: the state must not know any.
    private(set) var url: String
    private(set) var partial: PartialFile?
    /// The shorter file under the final name whose bytes count as soon as they are proved.
    private var unproved: ReadableFile?
    private(set) var have = RangeSet()
    /// What this run wrote of it, from answers of this generation.
    private var written = RangeSet()
    /// nil while nothing is known, and for answers that cannot be resumed.
    private(set) var generation: Generation?
    /// The media type of the answers that the bytes came with.
    private(set) var mediaType: String?
    /// Whether they came with a content coding.
    private(set) var isEncoded = false
    private let clock: RunClock
    private var sinceCheckpoint: Int64 = 0
    private var lastCheckpoint: Duration
    private var isCheckpointing = false

    /// Claims on disk lag behind by no more than this many bytes, which a crash makes to be fetched again,
    static let checkpointInterval: Int64 = 64 << 20
    /// nor by more than this time, as soon as there is something worth a claim.
    static let checkpointTime = Duration.seconds(5)
    static let smallestCheckpoint: Int64 = 256 << 10

    init(store: Store, clock: RunClock, path: LocalPath, address: Address, kept: Kept) {
        self.store = store
        self.clock = clock
        lastCheckpoint = clock.elapsed()
        self.path = path
        url = Redaction.text(of: address)
        switch kept {
        case .nothing: break
        case .partial(let record): open(record)
        case .localFile(let size, let generation): open(size, generation)
        }
    }

    /// What cannot be opened is not there: the file is then fetched whole.
    private func open(_ record: PartialRecord) {
        guard let file = try? store.openPartial(for: path, record: record) else { return }
        partial = file
        have = record.ranges
        generation = record.generation
    }

    private func open(_ size: Int64, _ generation: Generation) {
        guard let file = try? store.root?.openForReading(path), let range = ByteRange(first: 0, end: size) else {
            return
        }
        unproved = file
        have = RangeSet([range])
        self.generation = generation
    }

    var isComplete: Bool { generation.map { have.isComplete(total: $0.total) } ?? false }

    /// Drops every byte and begins with an answer that has all of the file. The file under the final name is not touched.
    /// - Parameter total: nil when the answer does not say.
    func startOver(_ head: ResponseHead, total: Int64?, from address: Address) throws(Failure) {
        if let partial {
            try partial.reset()
        } else {
            partial = try store.makePartial(for: path)
        }
        unproved = nil
        have = RangeSet()
        written = RangeSet()
        sinceCheckpoint = 0
        url = Redaction.text(of: address)
        mediaType = head.mediaType
        isEncoded = head.isEncoded
        // What is content-coded cannot be gone on with: its offsets are not those of the file.
        generation = isEncoded ? nil : total.map { Generation(total: $0, validators: head.validators) }
    }

    /// Takes notice of an answer with a part of the file: it may say what others left out.
    func learn(from head: ResponseHead) {
        mediaType = mediaType ?? head.mediaType
        guard var known = generation else { return }
        known.validators = known.validators.completed(by: head.validators)
        generation = known
    }

    /// Another URL is asked from now on: its validators say nothing of bytes from the one before.
    func turnToOtherURL() { written = RangeSet() }

    /// Forgets the state, so that the next attempt asks for the whole file.
    func forget() {
        have = RangeSet()
        written = RangeSet()
        generation = nil
        unproved = nil
    }

    /// An answer without a length has ended: now the size is known.
    func settle(total: Int64, validators: Validators) { generation = Generation(total: total, validators: validators) }

    /// Whether the bytes before an offset need no proof: this run wrote them, and the server's next answer will say
    /// whether it is of the same state.
    func isCertain(before offset: Int64) -> Bool {
        generation?.validators.tellStatesApart == true && written.bytes(before: offset, limit: 1) > 0
    }

    /// The bytes on disk directly before an offset, which an answer must repeat; nil when they are not all there any more.
    func overlapBytes(before offset: Int64) throws(Failure) -> [UInt8]? {
        let count = have.bytes(before: offset, limit: Overlap.length)
        guard count > 0 else { return [] }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(count), alignment: 16)
        defer { buffer.deallocate() }
        let read = try read(into: buffer, at: offset - count)
        return read == buffer.count ? Array(buffer) : nil
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Failure) -> Int {
        if let partial { return try partial.read(into: buffer, at: offset) }
        return try unproved?.read(into: buffer, at: offset) ?? 0
    }

    /// Whether the bytes that are there belong to a file that somebody else left, and have not been compared with the
    /// server's.
    var isUnproved: Bool { unproved != nil }

    /// The last bytes of the short file under the final name are the server's: it becomes the partial file.
    nonisolated(nonsending) func takeOver() async throws(Failure) {
        guard unproved != nil, let generation else { return }
        partial = try await store.takeOver(path, size: have.end, generation: generation, url: url)
        unproved = nil
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Failure) {
        guard let partial else { throw Failure(.io, "there is no partial file to write to") }
        guard let range = ByteRange(first: offset, end: offset + Int64(bytes.count)) else { return }
        try partial.write(bytes, at: offset)
        have.insert(range)
        written.insert(range)
        sinceCheckpoint += Int64(bytes.count)
    }

    /// Whether it is time to make a claim. Asking starts one: the caller must `checkpoint()`.
    func beginCheckpointIfDue() -> Bool {
        guard sinceCheckpoint >= Self.smallestCheckpoint, !isCheckpointing, generation != nil,
            sinceCheckpoint >= Self.checkpointInterval || clock.elapsed() - lastCheckpoint >= Self.checkpointTime
        else { return false }
        isCheckpointing = true
        return true
    }

    /// Data to the disk, then the claim. Bytes that arrive in the meantime wait for the next one.
    nonisolated(nonsending) func checkpoint() async -> Failure? {
        defer { isCheckpointing = false }
        guard let partial, let generation, !have.isEmpty else { return nil }
        sinceCheckpoint = 0
        lastCheckpoint = clock.elapsed()
        let record = PartialRecord(url: url, generation: generation, ranges: have)
        return await store.checkpoint(partial, record: record)
    }

    /// Leaves what another run can go on from, or nothing.
    nonisolated(nonsending) func leave() async {
        if unproved != nil { return }
        if generation == nil || have.isEmpty { return discard() }
        _ = await checkpoint()
        partial?.close()
        partial = nil
    }

    /// There is nothing to go on from.
    func discard() {
        if let partial {
            store.discard(partial)
        } else {
            store.drop(path)
        }
        partial = nil
    }
}
