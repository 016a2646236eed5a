// What a transfer did, for the report.

import MirrorCore
import MirrorTransport

/// The numbers of one file's transfer.
struct TransferAccount: Sendable, Equatable {
    /// Bytes of the file that arrived, useful or not.
    var bytesFetched: Int64 = 0
    /// Bytes that were on disk before and are part of the new file.
    var bytesReused: Int64 = 0
    var requests = 0
    var attempts = 0
    var retries = 0
    /// The head of the last final answer.
    var head: ResponseHead?
    /// Why bytes on disk were given up, where they were.
    var restart: String?

    /// Why it is not certain that the file is whole.
    var lengthDoubt: LengthDoubt?

    mutating func add(_ delivery: Delivery) {
        requests += delivery.requests
        if let head = delivery.completion.head { self.head = head }
        // The page that explains an error is nothing of the file.
        if delivery.completion.head.map({ $0.status < 400 }) ?? true { bytesFetched += delivery.completion.bodyBytes }
    }
}
