// The client that judges the origin: the curl command, in a process of its own.

import Foundation
import MirrorTestSupport

/// One run of curl.
struct Curl {
    /// The exit status of curl: 18 is a partial file, 52 an empty answer, 56 a failure to receive.
    let exit: Int32
    /// The last status line's code; 0 when there was none.
    let status: Int
    let body: [UInt8]
    let headers: String
    let connections: Int

    /// Fetches `url` with further arguments of curl.
    static func get(_ url: String, _ arguments: String...) async throws -> Curl {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("origin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let body = folder.appendingPathComponent("body")
        let headers = folder.appendingPathComponent("headers")
        let facts = folder.appendingPathComponent("facts")
        let process = try ChildProcess(
            ["/usr/bin/curl", "-q", "-sS", "--max-time", "60", "-o", body.path, "-D", headers.path]
                + ["-w", "%{http_code} %{num_connects} "] + arguments + [url],
            environment: [], output: facts.path)
        let ending = await process.ending()
        guard case .exit(let exit) = ending else { throw CurlWasKilled(ending: ending) }
        let text = String(decoding: try Data(contentsOf: facts), as: UTF8.self)
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        return Curl(
            exit: exit, status: numbers.first ?? 0, body: (try? [UInt8](Data(contentsOf: body))) ?? [],
            headers: (try? String(contentsOf: headers, encoding: .utf8)) ?? "",
            connections: numbers.dropFirst().first ?? 0)
    }
}

/// curl did not end by itself.
struct CurlWasKilled: Error {
    let ending: ChildProcess.Ending
}
