// As much of an FTP server as libcurl asks for (RFC 959, RFC 2428, RFC 3659): anonymous, passive, read-only. It listens
// from the moment it exists and ends with its last reference.

import Foundation
import MirrorTestSupport

/// A test server on 127.0.0.1.
final class FTPServer: Sendable {
    private let listener: LoopbackListener
    private let log = Locked<[String]>([])

    /// - Parameters:
    ///   - root: the folder that is `/`.
    ///   - replies: what a command gets in place of the right answer; the command of the greeting is empty, and `DATA` is
    ///     after how many bytes the data connection ends.
    init(root: String, replies: @escaping @Sendable (_ command: String) -> String? = { _ in nil }) throws {
        listener = try LoopbackListener()
        let (listener, log) = (listener, log)
        Thread.detachNewThread {
            while let control = listener.accept() {
                Thread.detachNewThread {
                    var conversation = FTPConversation(control: control, root: root, log: log, replies: replies)
                    conversation.run()
                }
            }
        }
    }

    deinit { listener.stop() }

    func url(_ path: String) -> String { "ftp://127.0.0.1:\(listener.port)\(path)" }

    /// All commands so far.
    var commands: [String] { log.read { $0 } }

    func forgetCommands() { log.withLock { $0 = [] } }
}
