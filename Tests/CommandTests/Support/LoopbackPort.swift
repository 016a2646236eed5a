// Ports of 127.0.0.1, for servers that cannot choose one themselves.

import Foundation
import Glibc

/// A port on loopback.
enum LoopbackPort {
    /// A port that nobody listens on now.
    static func free() throws -> UInt16 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(file) }
        return try bind(file)
    }

    /// Gives a socket a free port.
    static func bind(_ file: Int32) throws -> UInt16 {
        var address = address(of: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withSocketAddress(&address) { Glibc.bind(file, $0, size) == 0 ? getsockname(file, $0, &size) : -1 }
        guard code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Whether anybody takes connections there.
    static func isListenedOn(_ port: UInt16) -> Bool {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(file) }
        var address = address(of: port)
        return withSocketAddress(&address) { connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) } == 0
    }

    /// Sends a request and returns all of the answer.
    static func ask(_ port: UInt16, _ request: String) throws -> String {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(file) }
        var address = address(of: port)
        let code = withSocketAddress(&address) { connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
        _ = request.withCString { send(file, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
        }
    }

    private static func address(of port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocketAddress(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
