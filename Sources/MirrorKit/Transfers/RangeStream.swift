// One answer on its way into the file: judged by its head, proved by its overlap, cut at its end. Everything happens
// inside libcurl's callbacks on the loop's thread.

import MirrorCore
import MirrorTransport

/// The receiver of one request for (a part of) a file.
// @unchecked: its state is only touched in the isolation of its file, which every function takes or asserts.
final class RangeStream: ResponseReceiver, @unchecked Sendable {
    /// Why an answer was given up although it was welcome at first.
    enum Stop: Sendable, Equatable {
        case overlapMismatch
        /// The file as a whole has been stopped.
        case halted
        case failure(Failure)
    }

    private let file: FileTransfer
    private let demand: Demand
    /// The offsets to be written; nil when the size is not known yet, empty when bytes on disk are only to be proved.
    private let share: Range<Int64>?
    private let isLead: Bool
    private var head: ResponseHead?
    private var verdict: ResponseVerdict?
    private var stop: Stop?
    private var wasAccepted = false
    /// The offset of the next byte.
    private var position: Int64 = 0
    /// Where the share ends, or the last one that the answer ran on into.
    private var shareEnd: Int64 = 0
    /// Where the answer itself ends; `Int64.max` when it does not say.
    private var sentEnd: Int64 = 0
    /// The bytes on disk that the answer has to repeat first, and where they end.
    private var proof: [UInt8] = []
    private var proofEnd: Int64 = 0

    init(file: FileTransfer, demand: Demand, share: Range<Int64>?, isLead: Bool) {
        self.file = file
        self.demand = demand
        self.share = share
        self.isLead = isLead
    }

    func receive(head: ResponseHead) -> Bool { file.assumeIsolated { begin(head, $0) } }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // The buffer is used during the call only, on the thread that owns it.
        nonisolated(unsafe) let bytes = bytes
        return file.assumeIsolated { consume(bytes, $0) }
    }

    private func begin(_ head: ResponseHead, _ file: isolated FileTransfer) -> Bool {
        self.head = head
        let verdict = ResponseVerdict.on(head, for: demand)
        self.verdict = verdict
        do throws(Failure) {
            switch verdict {
            case .whole(let total): return try beginWhole(total, head, file)
            case .part(let sent): return try beginPart(sent, file)
            default: return false
            }
        } catch {
            stop = .failure(error)
            return false
        }
    }

    private func beginWhole(
        _ total: Int64?, _ head: ResponseHead, _ file: isolated FileTransfer
    ) throws(Failure) -> Bool {
        guard let end = try file.accept(whole: total, head, isLead: isLead) else { return false }
        shareEnd = end
        sentEnd = total ?? .max
        wasAccepted = true
        return true
    }

    private func beginPart(_ sent: ByteRange, _ file: isolated FileTransfer) throws(Failure) -> Bool {
        guard let share else { return false }
        position = sent.first
        shareEnd = share.upperBound
        sentEnd = sent.end
        proofEnd = share.lowerBound
        wasAccepted = true
        if let head { file.assembly.learn(from: head) }
        guard position < proofEnd else {
            join(file)
            return true
        }
        guard let proof = try file.overlap(before: proofEnd) else {
            stop = .overlapMismatch
            return false
        }
        self.proof = proof
        return true
    }

    private func consume(_ bytes: UnsafeRawBufferPointer, _ file: isolated FileTransfer) -> Bool {
        if file.isHalted {
            stop = .halted
            return false
        }
        var rest = bytes[...]
        if position < proofEnd {
            let count = Int(min(Int64(rest.count), proofEnd - position))
            guard proves(rest.prefix(count)) else {
                stop = .overlapMismatch
                return false
            }
            position += Int64(count)
            rest = rest.dropFirst(count)
            if position == proofEnd { join(file) }
        }
        while !rest.isEmpty {
            guard position < limit || runsOn(file) else { return false }
            let count = Int(min(Int64(rest.count), limit - position))
            do throws(Failure) {
                try file.write(
                    UnsafeRawBufferPointer(rebasing: rest.prefix(count)), at: position, isUnbounded: limit == .max)
            } catch {
                stop = .failure(error)
                return false
            }
            position += Int64(count)
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Compares with what is on disk. Bytes before the overlap, which a server may send that works in blocks, are not
    /// looked at.
    private func proves(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let proofStart = proofEnd - Int64(proof.count)
        let skipped = Int(max(0, min(Int64(bytes.count), proofStart - position)))
        let compared = bytes.dropFirst(skipped)
        guard !compared.isEmpty else { return true }
        let from = Int(position + Int64(skipped) - proofStart)
        return proof[from..<(from + compared.count)].elementsEqual(compared)
    }

    /// The answer is what it should be: others may be asked for the rest.
    private func join(_ file: isolated FileTransfer) {
        if isLead { file.leadIsGood() }
    }

    /// The share is done but the answer goes on: it takes the share that follows, when nobody has it.
    private func runsOn(_ file: isolated FileTransfer) -> Bool {
        guard position < sentEnd, let end = file.takeShare(at: position) else { return false }
        shareEnd = end
        return true
    }

    /// Nothing is written from here on, whatever else comes.
    private var limit: Int64 { min(shareEnd, sentEnd) }
}

extension RangeStream {
    /// What became of the answer.
    struct Summary: Sendable {
        let head: ResponseHead?
        let verdict: ResponseVerdict?
        let stop: Stop?
        /// Whether the body was let in.
        let wasAccepted: Bool
        /// The offset behind the last byte that was taken.
        let position: Int64
        /// Whether all arrived that this answer had of its share.
        let isWhole: Bool
        /// Whether the answer did not say where it ends.
        let isUnbounded: Bool
        /// Where the answer had to end; nil when nobody said.
        let expectedEnd: Int64?
        /// What was taken and not fetched.
        let leftOver: ByteRange?
    }

    var summary: Summary {
        let isUnbounded = wasAccepted && limit == .max
        return Summary(
            head: head, verdict: verdict, stop: stop, wasAccepted: wasAccepted, position: position,
            isWhole: wasAccepted && position == limit, isUnbounded: isUnbounded, expectedEnd: isUnbounded ? nil : limit,
            leftOver: isUnbounded ? nil : ByteRange(first: max(position, proofEnd), end: shareEnd))
    }
}
