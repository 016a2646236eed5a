// What the hashing thread can be asked to do.

import MirrorCore
import MirrorThreads

/// One job of the hashing thread.
enum HashJob: Sendable {
    case hash(Source, ChecksumAlgorithm, UnsafeContinuation<Result<Checksum, Failure>, Never>)
    case pieces(PartialFile, PieceSums, UnsafeContinuation<Result<PieceFaults, Failure>, Never>)
    case prove(
        StoredPartial, PartialProof, provesGaps: Bool, isCancelled: Locked<Bool>,
        UnsafeContinuation<PartialProof.Verdict, Never>)
    /// Lets the thread end.
    case last

    enum Source: Sendable {
        case partial(PartialFile)
        case file(LocalPath, Root)
    }

    func run() {
        switch self {
        case .hash(let source, let algorithm, let continuation):
            continuation.resume(returning: Result { () throws(Failure) in try Self.hash(source, algorithm) })
        case .pieces(let partial, let sums, let continuation):
            continuation.resume(
                returning: Result { () throws(Failure) in
                    try FileHash.faults(in: sums) { (buffer, offset) throws(Failure) in
                        try partial.read(into: buffer, at: offset)
                    }
                })
        case .prove(let stored, let proof, let provesGaps, let isCancelled, let continuation):
            continuation.resume(
                returning: proof.verdict(on: stored, provesGaps: provesGaps) { isCancelled.withLock { $0 } })
        case .last: break
        }
    }

    private static func hash(_ source: Source, _ algorithm: ChecksumAlgorithm) throws(Failure) -> Checksum {
        switch source {
        case .partial(let partial):
            try FileHash.checksum(algorithm) { (buffer, offset) throws(Failure) in
                try partial.read(into: buffer, at: offset)
            }
        case .file(let path, let root):
            try hash(root.openForReading(path), algorithm)
        }
    }

    private static func hash(_ file: ReadableFile, _ algorithm: ChecksumAlgorithm) throws(Failure) -> Checksum {
        try FileHash.checksum(algorithm) { (buffer, offset) throws(Failure) in try file.read(into: buffer, at: offset) }
    }
}
