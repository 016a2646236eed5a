// One test's world: an origin, a folder with DIR in it, a clock. Everything goes with the last reference.

import Glibc
import MirrorKit
import MirrorStore
import MirrorTestSupport
import Testing

typealias Delivery = MirrorTestSupport.Delivery

/// Runs syncs in a folder of its own against an origin of its own.
final class SyncFixture: Sendable {
    let origin: WickedOrigin
    let clock = FakeClock()
    private let copies = MirrorTestSupport.Locked(0)
    /// Holds DIR and, beside it, what is not to be mirrored.
    let folder: String
    var directory: String { "\(folder)/mirror" }

    init(limits: Limits = Limits(), sendBuffer: Int32? = nil, below parent: String = "/tmp") throws {
        origin = try WickedOrigin(limits: limits, sendBuffer: sendBuffer)
        var template = Array("\(parent)/mirror-kit-test-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        origin.stop()
        Self.remove(folder)
    }

    // MARK: Runs

    /// A sync of a manifest with this text; options are small so that small files are split and nothing waits.
    func makeSync(
        _ manifest: String, calls: SystemCalls = SystemCalls(), clock: RunClock? = nil,
        _ change: (inout SyncOptions) -> Void = { _ in }
    ) -> Sync {
        write(Array(manifest.utf8), to: "\(folder)/manifest.txt")
        var options = SyncOptions(sources: ["\(folder)/manifest.txt"])
        options.directory = directory
        // Silences in tests are meant; on a busy machine they are longer than a server's ever should be.
        options.transport.stallTimeout = .seconds(3_600)
        change(&options)
        return Sync(options, clock: clock ?? self.clock.runClock, calls: calls)
    }

    @discardableResult
    func sync(_ manifest: String, _ change: (inout SyncOptions) -> Void = { _ in }) async throws -> Report {
        try await makeSync(manifest, change).run()
    }

    /// A sync of files of the origin, one entry each, and nothing but their paths.
    @discardableResult
    func sync(paths: String..., change: (inout SyncOptions) -> Void = { _ in }) async throws -> Report {
        try await sync(paths.map { origin.url($0) + "\n" }.joined(), change)
    }

    /// The report of one file that is synced.
    func file(_ path: String, _ change: (inout SyncOptions) -> Void = { _ in }) async throws -> FileReport {
        try #require(try await sync(paths: path, change: change).files.first)
    }

    // MARK: Disk

    /// Writes a file below DIR as somebody else would leave it.
    /// - Parameter modified: seconds since 1970.
    func put(_ name: String, _ bytes: [UInt8], modified: Int? = nil) {
        makeFolders(for: name)
        write(bytes, to: "\(directory)/\(name)")
        guard let modified else { return }
        let times = [timespec(tv_sec: modified, tv_nsec: 0), timespec(tv_sec: modified, tv_nsec: 0)]
        utimensat(AT_FDCWD, "\(directory)/\(name)", times, 0)
    }

    func makeFolder(_ name: String) {
        makeFolders(for: name)
        mkdir("\(directory)/\(name)", 0o755)
    }

    func removeFolder(_ name: String) { rmdir("\(directory)/\(name)") }

    private func makeFolders(for name: String) {
        mkdir(directory, 0o755)
        var path = directory
        for part in name.split(separator: "/").dropLast() {
            path += "/\(part)"
            mkdir(path, 0o755)
        }
    }

    /// The bytes of a file below DIR; nil when there is none.
    func bytes(_ name: String) -> [UInt8]? { Self.read("\(directory)/\(name)") }

    func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    /// Whether a file below DIR has exactly these bytes.
    func holds(_ name: String, _ body: Body) -> Bool { isBody("\(directory)/\(name)", body) }

    /// Whether any file has exactly these bytes.
    func isBody(_ path: String, _ body: Body) -> Bool {
        guard let found = Self.read(path), Int64(found.count) == body.length else { return false }
        // Comparing arrays takes seconds in a build that is not optimised.
        return body.allBytes.withUnsafeBytes { wanted in
            found.withUnsafeBytes { found in
                guard let wanted = wanted.baseAddress, let start = found.baseAddress else { return true }
                return memcmp(wanted, start, found.count) == 0
            }
        }
    }

    func exists(_ name: String) -> Bool { access("\(directory)/\(name)", F_OK) == 0 }

    /// Seconds since 1970.
    func modified(_ name: String) -> Int? { Self.modified("\(directory)/\(name)") }

    static func modified(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
    }

    /// Part files that an earlier run left.
    var partials: [String] { Self.names(in: "\(directory)/.mirror/partial") }

    /// All there is to see below DIR: kinds, modes, sizes, times, bytes.
    func tree() -> [String] { Self.tree(directory) }

    // MARK: Plain files

    func write(_ bytes: [UInt8], to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { close(file) }
        bytes.withUnsafeBytes { _ = Glibc.write(file, $0.baseAddress, $0.count) }
    }

    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while count < buffer.count {
                let got = Glibc.read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
                guard got > 0 else { return }
                count += got
            }
        }
    }

    static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func tree(_ path: String) -> [String] {
        names(in: path).flatMap { name -> [String] in
            let inner = "\(path)/\(name)"
            var status = stat()
            guard lstat(inner, &status) == 0 else { return [inner] }
            let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            let bytes = read(inner).map { "\($0.count) \($0.hashValue)" } ?? ""
            let line = "\(inner) \(status.st_mode) \(status.st_ino) \(time) \(bytes)"
            return [line] + (status.st_mode & S_IFMT == S_IFDIR ? tree(inner) : [])
        }
    }

    // MARK: Whole trees

    func rename(_ path: String, to other: String) { Glibc.rename(path, other) }

    func removeTree(_ path: String) { Self.remove(path) }

    /// A copy beside the original, with its times and modes.
    /// - Returns: its path.
    func copy(of path: String) -> String {
        let number = copies.withLock { count in
            count += 1
            return count
        }
        let copy = "\(path)-\(number)"
        Self.copy(path, to: copy)
        return copy
    }

    private static func copy(_ path: String, to other: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            mkdir(other, status.st_mode & 0o777)
            for name in names(in: path) { copy("\(path)/\(name)", to: "\(other)/\(name)") }
        } else {
            let file = open(other, O_WRONLY | O_CREAT | O_TRUNC, status.st_mode & 0o777)
            defer { close(file) }
            read(path)?.withUnsafeBytes { _ = Glibc.write(file, $0.baseAddress, $0.count) }
        }
        let times = [status.st_atim, status.st_mtim]
        utimensat(AT_FDCWD, other, times, 0)
    }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
