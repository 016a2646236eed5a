// What the process's own sockets are to the programs that it starts.

import Glibc
import MirrorCore
import MirrorTestSupport
import MirrorTransport
import Testing

struct SocketTests {
    @Test("no program that the process starts inherits a connection")
    func closesOnExec() async throws {
        try await Wire.use { wire in
            wire.origin.serve("/a") { _ in .text("a") }
            #expect(try await wire.get("/a").outcome == .finished)
            // The connection is kept for the next request.
            let port = try #require(UInt16(wire.origin.url("").split(separator: ":").last ?? ""))
            let own = (0..<4_096 as Range<Int32>).filter { Self.peerPort(of: $0) == port }
            #expect(own.count == 1)
            for file in own { #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0) }
        }
    }

    private static func peerPort(of file: Int32) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(file, $0, &size) }
        }
        return code == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }
}
