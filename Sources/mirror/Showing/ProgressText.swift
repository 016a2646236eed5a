// How far a run is, in one line. Pure: time is handed in.

import MirrorKit

/// Turns moments of a run into lines, and keeps what the rate follows from.
struct ProgressText {
    /// The rate is that of the last seconds: long enough to be calm, short enough to show a stall.
    private static let window = 10.0

    private var samples: [(seconds: Double, bytes: Int64)] = [(0, 0)]

    /// - Parameter seconds: since the run began, never going back.
    mutating func line(_ progress: Progress, at seconds: Double) -> String {
        // Reading and comparing are no part of the rate.
        if progress.stage == .reading || progress.stage == .probing { samples.removeAll() }
        let rate = rate(progress.bytesFetched, at: seconds)
        let clock = "[\(wholeSeconds(seconds))] "
        switch progress.stage {
        case .reading: return clock + "reading the source"
        case .probing: return clock + "comparing \(Amount.count(progress.files, "file"))"
        case .transferring, .finished: return clock + transferring(progress, rate: rate)
        }
    }

    private func transferring(_ progress: Progress, rate: Double) -> String {
        let expected = max(progress.bytesToFetch, progress.bytesFetched)
        var parts = ["\(progress.filesDone) of \(Amount.count(progress.files, "file"))"]
        parts.append("\(Amount.bytes(progress.bytesFetched)) of \(Amount.bytes(expected))")
        if rate >= 1 {
            parts.append("\(Amount.bytes(Int64(min(rate, 1e15))))/s")
            let left = Double(expected - progress.bytesFetched) / rate
            if left > 0 { parts.append("\(wholeSeconds(left.rounded(.up))) left") }
        }
        if progress.filesFailed > 0 { parts.append("\(progress.filesFailed) failed") }
        return parts.joined(separator: ", ")
    }

    /// Bytes a second.
    private mutating func rate(_ bytes: Int64, at seconds: Double) -> Double {
        samples.append((seconds, bytes))
        // One sample older than the window is kept: the rate is measured from there.
        while samples.count > 2, seconds - samples[1].seconds >= Self.window { samples.removeFirst() }
        guard let first = samples.first, seconds > first.seconds else { return 0 }
        return Double(bytes - first.bytes) / (seconds - first.seconds)
    }

    private func wholeSeconds(_ seconds: Double) -> String {
        guard seconds < 60 else { return Amount.seconds(seconds) }
        return "\(Int(max(seconds, 0))) s"
    }
}
