// A folder of its own for one test: the manifest, DIR, reports. It goes with the test.

import Foundation
import Glibc
import MirrorTestSupport
import Testing

/// A temporary folder with a DIR in it, and mirror at work there.
final class Workplace: Sendable {
    let path: String
    /// DIR; it does not exist until somebody makes it.
    let directory: String
    /// Servers that live as long as the folder.
    private let servers: [any AnyObject & Sendable]

    init(_ servers: any AnyObject & Sendable...) throws {
        self.servers = servers
        path = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-\(UUID().uuidString)").path
        directory = path + "/out"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file below the folder, and the folders above it.
    /// - Returns: its path.
    @discardableResult func write(_ name: String, _ bytes: [UInt8], modified: Date? = nil) throws -> String {
        try Self.write("\(path)/\(name)", bytes, modified: modified)
    }

    @discardableResult func write(_ name: String, lines: [String]) throws -> String {
        try write(name, Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    @discardableResult static func write(_ file: String, _ bytes: [UInt8], modified: Date? = nil) throws -> String {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        if let modified { try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: file) }
        return file
    }

    /// The bytes of a file in DIR; nil where there is none.
    func bytes(_ name: String) -> [UInt8]? { Self.bytes(at: "\(directory)/\(name)") }

    /// The bytes of any file.
    static func bytes(at path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }

    /// Whether a file in DIR is that body. A failed test then prints no megabytes.
    func holds(_ name: String, _ body: Body) -> Bool { bytes(name) == body.allBytes }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

    /// Everything below DIR that can be seen without opening it, but for what each run may write.
    func tree() throws -> [String: String] {
        var tree: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            if name == ".mirror/report.json" || name.hasPrefix(".mirror/state.sqlite") { continue }
            var status = stat()
            guard lstat("\(directory)/\(name)", &status) == 0 else { continue }
            // The entries of .mirror itself change with the report, which is renamed into it.
            let time = name == ".mirror" ? "" : "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            tree[name] = "\(status.st_mode) \(status.st_ino) \(status.st_size) \(time)"
        }
        return tree
    }

    /// Runs `mirror sync` with DIR from its start to its end.
    func sync(_ arguments: String..., environment: [String: String] = [:], input: String = "") async throws
        -> CommandResult
    {
        try await start(arguments, environment: environment, input: input).result()
    }

    /// Starts `mirror sync` with DIR.
    func start(
        _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) throws -> RunningCommand {
        try RunningCommand(
            ["sync", "-d", directory] + arguments, environment: environment, input: Array(input.utf8), directory: path)
    }

    /// The report of the last run, or another one below the folder.
    func report(_ name: String = "out/.mirror/report.json") throws -> SavedRun {
        try SavedRun.read(try #require(FileManager.default.contents(atPath: "\(path)/\(name)")))
    }
}
