// The client that judges the origin: the curl command, in a process of its own.

import Foundation

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
        let facts = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments =
            ["-q", "-sS", "--max-time", "60", "-o", body.path, "-D", headers.path]
            + ["-w", "%{http_code} %{num_connects} "] + arguments + [url]
        process.standardOutput = facts
        process.standardError = FileHandle.nullDevice
        let exit = try await process.exitStatus()
        let text = String(decoding: try facts.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        return Curl(
            exit: exit, status: numbers.first ?? 0, body: (try? [UInt8](Data(contentsOf: body))) ?? [],
            headers: (try? String(contentsOf: headers, encoding: .utf8)) ?? "",
            connections: numbers.dropFirst().first ?? 0)
    }
}

extension Process {
    /// Runs the process to its end without blocking a thread of the test runner.
    fileprivate func exitStatus() async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try run() } catch { continuation.resume(throwing: error) }
        }
    }
}
