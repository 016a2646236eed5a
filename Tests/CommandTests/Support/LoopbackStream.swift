// A connection as a server sees it: lines in, lines and bytes out. Reads and writes block.

import Glibc

/// One end of a connection. Used by one thread.
final class LoopbackStream: @unchecked Sendable {
    // Unchecked: it is handed to the thread that uses it, and no other keeps it.
    private let file: Int32
    private var isOpen = true

    init(_ file: Int32) { self.file = file }

    deinit { close() }

    /// The next line without its end; nil when the client has gone.
    func line() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while recv(file, &byte, 1, 0) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line.filter { $0 != 13 }, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    func send(line: String) { _ = send(Array("\(line)\r\n".utf8)) }

    /// - Returns: false when the client has gone.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(file)
    }
}
