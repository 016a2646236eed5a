// A listening socket on a free port of 127.0.0.1.

import Foundation
import Glibc

/// Waits for connections.
final class LoopbackListener: Sendable {
    let port: UInt16
    private let file: Int32

    init() throws {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        port = try LoopbackPort.bind(file)
        guard listen(file, 16) == 0 else { throw POSIXError(.EADDRINUSE) }
    }

    deinit { close(file) }

    /// - Returns: nil when the listener was stopped.
    func accept() -> LoopbackStream? {
        let stream = Glibc.accept(file, nil, nil)
        guard stream >= 0 else { return nil }
        // A mirror that is being started must not keep the connection open.
        _ = fcntl(stream, F_SETFD, FD_CLOEXEC)
        return LoopbackStream(stream)
    }

    func stop() { shutdown(file, Int32(SHUT_RDWR)) }
}
