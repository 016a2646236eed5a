// One of the two standard streams, written in large blocks. It never ends the process: a reader who has gone away is
// none of the run's business.

import Glibc

/// Collects bytes and writes them.
struct Output {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The first error of the system; nothing is written after it.
    private(set) var errorCode: Int32?

    /// Enough for one write to a pipe.
    private static let blockSize = 64 << 10

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Whether something was lost that somebody waited for; a reader who closed his end did not.
    var hasFailed: Bool { errorCode != nil && errorCode != EPIPE }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.blockSize { flush() }
    }

    mutating func append(_ text: String) { append(text.utf8) }

    /// Writes what was collected.
    mutating func flush() {
        let descriptor = descriptor
        var code = errorCode
        buffer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while code == nil, !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    Self.waitUntilWritable(descriptor)
                } else if errno != EINTR {
                    code = errno
                }
            }
        }
        errorCode = code
        buffer.removeAll(keepingCapacity: true)
    }

    /// A terminal or pipe that is shared with another program may have been made non-blocking by that one.
    private static func waitUntilWritable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
    }
}
