// What the process's own sockets are to the programs that it starts.

import Glibc
import MirrorCore
import MirrorTestSupport
import MirrorTransport
import Testing

struct SocketTests {
    @Test("no program that the process starts inherits a connection")
    func closesOnExec() async throws {
        let gate = Gate()
        try await Wire.use { wire in
            wire.origin.serve("/a") { _ in
                Answer(status: 200, content: Content("abc"), delivery: .stall(after: 1, gate: gate))
            }
            let receiver = Collector()
            let request = wire.start(Request(.get, try wire.address("/a")), to: receiver)
            while receiver.count < 1 { await Task.yield() }
            let port = try #require(UInt16(wire.origin.url("").split(separator: ":").last ?? ""))
            let own = (0..<65_536 as Range<Int32>).filter { Self.peerPort(of: $0) == port }
            #expect(own.count == 1)
            for file in own { #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0) }
            gate.open()
            #expect(await request.value.outcome == .finished)
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
