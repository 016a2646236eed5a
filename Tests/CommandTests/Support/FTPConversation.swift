// One control connection of the tests' FTP server, from its greeting to its end, on a thread of its own.

import Foundation
import MirrorTestSupport

/// Answers the commands of one client.
struct FTPConversation {
    let control: LoopbackStream
    let root: String
    let log: Locked<[String]>
    /// What a command gets in place of the right answer.
    let replies: @Sendable (_ command: String) -> String?
    private var folder = "/"
    private var offset = 0
    private var data: LoopbackListener?

    init(
        control: LoopbackStream, root: String, log: Locked<[String]>,
        replies: @escaping @Sendable (_ command: String) -> String?
    ) {
        self.control = control
        self.root = root
        self.log = log
        self.replies = replies
    }

    mutating func run() {
        control.send(line: replies("") ?? "220 ready")
        while let line = control.line() {
            log.withLock { $0.append(line) }
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard answer(words.first?.uppercased() ?? "", words.count > 1 ? words[1] : "") else { break }
        }
        data?.stop()
    }

    private mutating func answer(_ command: String, _ word: String) -> Bool {
        if let reply = replies(command) {
            control.send(line: reply)
            return !reply.hasPrefix("421")
        }
        switch command {
        case "USER": control.send(line: "331 password")
        case "PASS": control.send(line: "230 welcome")
        case "PWD": control.send(line: "257 \"\(folder)\"")
        case "CWD":
            folder = word.hasPrefix("/") ? word : folder + (folder == "/" ? "" : "/") + word
            control.send(line: "250 there")
        case "TYPE": control.send(line: "200 binary")
        case "EPSV":
            data?.stop()
            data = try? LoopbackListener()
            control.send(line: data.map { "229 (|||\($0.port)|)" } ?? "425 no port")
        case "SIZE": control.send(line: contents(word).map { "213 \($0.count)" } ?? "550 no such file")
        case "MDTM": control.send(line: time(word).map { "213 \($0)" } ?? "550 no such file")
        case "REST":
            offset = Int(word) ?? 0
            control.send(line: "350 from there")
        case "RETR": retrieve(word)
        case "QUIT": return false
        default: control.send(line: "502 not here")
        }
        return true
    }

    private mutating func retrieve(_ name: String) {
        defer { offset = 0 }
        guard let contents = contents(name), let stream = data?.accept() else {
            return control.send(line: "550 no such file")
        }
        control.send(line: "150 here it comes")
        let rest = [UInt8](contents.dropFirst(offset))
        // A data connection that ends early.
        let cut = replies("DATA").flatMap { Int($0) } ?? rest.count
        let isWhole = stream.send(Array(rest.prefix(cut))) && cut >= rest.count
        stream.close()
        control.send(line: isWhole ? "226 done" : "426 aborted")
    }

    private func path(_ name: String) -> String { root + (name.hasPrefix("/") ? name : "\(folder)/\(name)") }

    private func contents(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }

    private func time(_ name: String) -> String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
        guard let date = attributes?[.modificationDate] as? Date else { return nil }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyyMMddHHmmss"
        return formatter.string(from: date)
    }
}
