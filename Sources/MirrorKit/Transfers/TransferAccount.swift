// What a transfer did, for the report.

import MirrorCore
import MirrorTransport

/// The numbers of one file's transfer.
struct TransferAccount: Sendable, Equatable {
    /// Body bytes that arrived, useful or not.
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

    mutating func add(_ delivery: Delivery) {
        bytesFetched += delivery.completion.bodyBytes
        requests += delivery.requests
        if let head = delivery.completion.head { self.head = head }
    }
}
