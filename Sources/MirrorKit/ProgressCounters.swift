// How far a running sync is. Cheap to write to from the loop's thread, cheap to read from anywhere.

import MirrorCore
import MirrorThreads

/// A moment of a running sync.
public struct Progress: Sendable, Equatable {
    /// What a sync is doing.
    public enum Stage: String, Sendable {
        case reading, probing, transferring, finished
    }

    /// What it is doing now.
    public var stage = Stage.reading
    /// Entries of the source.
    public var files = 0
    /// Entries that need nothing more, those that failed included.
    public var filesDone = 0
    /// Entries that failed.
    public var filesFailed = 0
    /// Entries whose bytes are arriving now.
    public var filesRunning = 0
    /// Bytes to fetch as far as they are known; grows while answers come in.
    public var bytesToFetch: Int64 = 0
    /// Bytes that arrived.
    public var bytesFetched: Int64 = 0
}

/// Counts what a run does.
final class ProgressCounters: Sendable {
    private let state = Locked(Progress())

    var current: Progress { state.withLock { $0 } }

    func update(_ change: (inout Progress) -> Void) { state.withLock { change(&$0) } }

    /// Sizes are the servers' word, and their sum may be beyond all numbers.
    func willFetch(_ bytes: Int64) {
        update {
            let (sum, overflow) = $0.bytesToFetch.addingReportingOverflow(bytes)
            $0.bytesToFetch = overflow ? .max : sum
        }
    }

    func received(_ bytes: Int) { state.withLock { $0.bytesFetched += Int64(bytes) } }
}
