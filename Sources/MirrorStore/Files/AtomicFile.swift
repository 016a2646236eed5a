// A file that appears whole or not at all. The bytes go to a temporary name in the same folder; only a commit gives
// them theirs. Devices and pipes have no name to replace: they are written as they are.

import Glibc
import MirrorCore

/// A file being written. Used by one thread at a time.
package final class AtomicFile {
    private static let bufferSize = 64 << 10

    private let name: String
    private let folder: Descriptor
    private let calls: SystemCalls
    private let file: Descriptor
    /// Nil for what is written in place.
    private let temporary: TemporaryName?
    private var buffer: [UInt8] = []
    private var isCommitted = false

    /// - Parameter path: any path; a symbolic link stays and what it leads to is replaced.
    package convenience init(path: String, calls: SystemCalls = SystemCalls()) throws(Failure) {
        let real = realPath(path) ?? path
        let found = try? calls.status(real, in: AT_FDCWD, followsLinks: true)
        if let found, found.kind == S_IFDIR { throw .isFolder }
        if let found, found.kind != S_IFREG {
            try self.init(inPlace: real, calls: calls)
            return
        }
        let parent = real.parentFolder ?? "."
        let folder = try failing { () throws(SystemError) in
            Descriptor(try calls.open(parent, in: AT_FDCWD, O_RDONLY | O_DIRECTORY), calls: calls)
        }
        let start = real.utf8.lastIndex(of: UInt8(ascii: "/")).map { real.utf8.index(after: $0) } ?? real.startIndex
        let name = String(real[start...])
        guard !name.isEmpty else { throw .isFolder }
        try self.init(named: name, in: folder, calls: calls)
    }

    /// Whether what has that path would be written as it is, so that nothing of it can be taken back.
    package static func isInPlace(_ path: String, calls: SystemCalls) -> Bool {
        guard let found = try? calls.status(path, in: AT_FDCWD, followsLinks: true) else { return false }
        return found.kind != S_IFREG && found.kind != S_IFDIR
    }

    init(named name: String, in folder: Descriptor, calls: SystemCalls) throws(Failure) {
        // Long enough a mark to be nobody else's.
        let prefix = ".\(name).mirror-"
        TemporaryName.removeLeftovers(prefix: prefix, in: folder, calls: calls)
        let temporary = try TemporaryName.make(prefix: prefix, in: folder, calls: calls)
        self.name = name
        self.folder = folder
        self.calls = calls
        self.temporary = temporary
        file = temporary.file
    }

    private init(inPlace path: String, calls: SystemCalls) throws(Failure) {
        name = path
        self.calls = calls
        temporary = nil
        file = try failing { () throws(SystemError) in
            Descriptor(try calls.open(path, in: AT_FDCWD, O_WRONLY), calls: calls)
        }
        folder = file
    }

    deinit {
        if let temporary, !isCommitted { try? calls.remove(temporary.name, in: folder.number) }
    }

    /// Adds bytes; they are buffered.
    package func append(_ bytes: some Collection<UInt8>) throws(Failure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    package func append(_ text: String) throws(Failure) { try append(text.utf8) }

    private func flush() throws(Failure) {
        let result: Result<Void, SystemError> = buffer.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try calls.append(bytes, to: file.number) }
        }
        buffer.removeAll(keepingCapacity: true)
        try failing { () throws(SystemError) in try result.get() }
    }

    /// Brings the bytes to the disk and gives them their name. Nothing can be added after it.
    package func commit() throws(Failure) {
        try flush()
        guard let temporary, !isCommitted else { return }
        try failing { () throws(SystemError) in
            if let old = try? calls.status(name, in: folder.number), old.kind == S_IFREG {
                try calls.setMode(old.st_mode & 0o777, of: file.number)
            }
            try calls.sync(file.number)
            try calls.rename(temporary.name, in: folder.number, to: name, in: folder.number)
            isCommitted = true
            try calls.syncFolder(folder.number)
        }
    }
}
