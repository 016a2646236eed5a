// A folder of its own for each test, and what a test wants to know of a tree. It goes with the test.

import Glibc
import MirrorCore

@testable import MirrorStore

/// A temporary folder that is removed with everything in it.
final class TestFolder: Sendable {
    let path: String

    init(below parent: String = "/tmp") {
        var template = Array("\(parent)/mirror-store-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    }

    deinit { if !path.isEmpty { Self.remove(path) } }

    static func remove(_ path: String) {
        for name in names(in: path) { remove("\(path)/\(name)") }
        if unlink(path) != 0 { rmdir(path) }
    }

    /// The names in a folder, sorted by their bytes; none for what is no folder.
    static func names(in path: String) -> [String] {
        let calls = SystemCalls()
        guard let file = try? calls.open(path, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else { return [] }
        defer { calls.close(file) }
        return ((try? calls.list(file)) ?? []).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    func names(_ folder: String = "") -> [String] { Self.names(in: "\(path)/\(folder)") }

    /// Everything that can be seen of the tree: names, kinds, modes, sizes, times and bytes.
    func tree(_ folder: String = "") -> [String] {
        names(folder).flatMap { name -> [String] in
            let inner = folder.isEmpty ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat("\(path)/\(inner)", &status) == 0 else { return [inner] }
            var line = "\(inner) \(status.st_mode) \(status.st_ino) \(status.modified)"
            if status.kind == S_IFREG { line += " \(status.st_size) \(read(inner).hashValue)" }
            return [line] + (status.kind == S_IFDIR ? tree(inner) : [])
        }
    }

    func makeFolder(_ name: String) { mkdir("\(path)/\(name)", 0o755) }

    func link(_ name: String, to target: String) { symlink(target, "\(path)/\(name)") }

    func write(_ name: String, _ bytes: [UInt8], mode: UInt32 = 0o644) {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, mode)
        defer { close(file) }
        _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    }

    func read(_ name: String) -> [UInt8] {
        let file = open("\(path)/\(name)", O_RDONLY)
        defer { if file >= 0 { close(file) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while file >= 0 {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    func status(_ name: String) -> stat? {
        var status = stat()
        return lstat("\(path)/\(name)", &status) == 0 ? status : nil
    }

    /// Copies the state as it lies there, the way a killed process would have left it.
    func copyState(to other: TestFolder) {
        other.makeFolder(".mirror")
        other.makeFolder(".mirror/partial")
        for name in names(".mirror") where status(".mirror/\(name)")?.kind == S_IFREG {
            other.write(".mirror/\(name)", read(".mirror/\(name)"))
        }
        for name in names(".mirror/partial") { other.write(".mirror/partial/\(name)", read(".mirror/partial/\(name)")) }
    }
}

/// Bytes that repeat only after a long while, so that a block in the wrong place is seen.
func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}

extension PartialFile {
    func write(_ bytes: some Collection<UInt8>, at offset: Int64) throws {
        let copy = Array(bytes)
        try copy.withUnsafeBytes { try write($0, at: offset) }
    }

    func bytes(count: Int) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let got = try buffer.withUnsafeMutableBytes { try read(into: $0, at: 0) }
        return Array(buffer.prefix(got))
    }
}

extension Store {
    /// Fetches a file, as far as the disk is concerned.
    @discardableResult
    func place(
        _ name: String, _ bytes: [UInt8], modified: HTTPDate? = nil, size: Int64? = nil
    ) async throws -> LocalFile {
        let partial = try makePartial(for: LocalPath(name))
        try partial.write(bytes, at: 0)
        return try await seal(
            SealOrder(
                partial: partial, size: size ?? Int64(bytes.count), planned: try? root?.inspect(partial.path),
                modified: modified, record: .sample)
        ).get()
    }
}

extension FileRecord {
    static let sample = FileRecord(
        url: "http://example.org/a", size: 0, modified: 0,
        validators: Validators(
            etag: EntityTag("\"v1\""), lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
            date: HTTPDate(seconds: 800_000_000)),
        mediaType: "application/x-tar", isEncoded: true, checksum: Checksum(algorithm: .adler32, value: [1, 2, 3, 4]))
}

extension PartialRecord {
    static func sample(_ ranges: [(Int64, Int64)], total: Int64) -> PartialRecord {
        PartialRecord(
            url: "http://example.org/a",
            generation: Generation(total: total, validators: Validators(etag: EntityTag("\"v1\""))),
            ranges: RangeSet(ranges.compactMap { ByteRange(first: $0.0, end: $0.1) }))
    }
}

extension SealOrder {
    /// The order for a file of which every byte is there.
    init(
        partial: PartialFile, size: Int64, planned: LocalFile? = nil, modified: HTTPDate?, record: FileRecord
    ) {
        self.init(
            partial: partial, size: size, have: RangeSet([ByteRange(first: 0, end: size)].compactMap { $0 }),
            planned: planned, modified: modified, record: record)
    }
}
