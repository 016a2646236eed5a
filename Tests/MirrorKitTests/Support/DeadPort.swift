// A port at which nobody listens, for as long as a test wants it.

import Glibc
import Testing

/// Bound and not listened on: nobody else can get the port meanwhile.
final class DeadPort {
    private let file: Int32
    private let number: UInt16

    init() throws {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = file
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, size) == 0 ? getsockname(file, $0, &size) : -1
            }
        }
        number = UInt16(bigEndian: address.sin_port)
        try #require(code == 0)
    }

    deinit { close(file) }

    func url(_ path: String) -> String { "http://127.0.0.1:\(number)\(path)" }
}
