// DIR itself. Every path is opened beneath its descriptor, so that no name and no symbolic link leads out. It looks
// and makes folders; it never writes a file.

import CLinux
import Glibc
import MirrorCore
import MirrorThreads

/// An open DIR.
package final class Root: Sendable {
    package let descriptor: Descriptor
    let calls: SystemCalls
    /// Paths of one folder come one after another: its descriptor makes each of them one system call.
    private let lastFolder = Locked<OpenFolder?>(nil)

    private struct OpenFolder {
        let path: String
        let descriptor: Descriptor
    }

    /// - Parameter createIfMissing: makes DIR and the folders above it.
    package init(path: String, createIfMissing: Bool, calls: SystemCalls = SystemCalls()) throws(Failure) {
        self.calls = calls
        guard !path.utf8.contains(0) else { throw .path(.nul) }
        descriptor = try failing { () throws(SystemError) in
            if createIfMissing { try Self.makeFolders(path, calls) }
            return Descriptor(try calls.open(path, in: AT_FDCWD, O_RDONLY | O_DIRECTORY), calls: calls)
        }
    }

    /// Like `mkdir -p`, and safe from a loss of power.
    private static func makeFolders(_ path: String, _ calls: SystemCalls) throws(SystemError) {
        do {
            try calls.makeFolder(path, in: AT_FDCWD, mode: 0o777)
        } catch {
            if error.code == EEXIST { return }
            guard error.code == ENOENT, let parent = path.parentFolder else { throw error }
            try makeFolders(parent, calls)
            do {
                try calls.makeFolder(path, in: AT_FDCWD, mode: 0o777)
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        // A folder that may be written to but not be read cannot be synced.
        guard let parent = try? calls.open(path.parentFolder ?? ".", in: AT_FDCWD, O_RDONLY | O_DIRECTORY) else {
            return
        }
        defer { calls.close(parent) }
        try calls.syncFolder(parent)
    }

    // MARK: Looking

    /// What is under that path; nil for nothing. One system call for most files.
    package func inspect(_ path: LocalPath) throws(Failure) -> LocalFile? {
        let found: stat?
        do {
            found = try status(of: path)
        } catch {
            if error.code == ENOENT { return nil }
            throw error.failure
        }
        guard let found else { return nil }
        return try Self.regularFile(found)
    }

    /// The status of the file that the path leads to; ENOENT is thrown where a symbolic link leads to nothing.
    private func status(of path: LocalPath) throws(SystemError) -> stat? {
        guard let folder = try folderForLooking(path) else { return nil }
        let found = try withName(of: path) { (name) throws(SystemError) in
            try calls.status(name, in: folder.number)
        }
        guard found.kind == S_IFLNK else { return found }
        // Where the link leads is seen by opening it beneath DIR.
        let target = Descriptor(
            try calls.openBeneath(path.text, in: descriptor.number, MIRROR_O_PATH), calls: calls)
        return try calls.status(of: target.number)
    }

    /// The status of what bears the name itself, be it a link.
    func linkStatus(of path: LocalPath) throws(SystemError) -> stat? {
        guard let folder = try folderForLooking(path) else { return nil }
        return try withName(of: path) { (name) throws(SystemError) in try calls.status(name, in: folder.number) }
    }

    static func regularFile(_ status: stat) throws(Failure) -> LocalFile {
        switch status.kind {
        case S_IFREG: return LocalFile(size: Int64(status.st_size), modified: status.modified)
        case S_IFDIR: throw .isFolder
        default: throw .notRegular
        }
    }

    private func folderForLooking(_ path: LocalPath) throws(SystemError) -> Descriptor? {
        guard let folder = path.folder else { return descriptor }
        if let open = lastFolder.withLock({ $0 }), open.path.utf8.elementsEqual(folder.utf8) { return open.descriptor }
        let text = String(folder)
        do {
            let opened = Descriptor(
                try calls.openBeneath(text, in: descriptor.number, MIRROR_O_PATH | O_DIRECTORY), calls: calls)
            lastFolder.withLock { $0 = OpenFolder(path: text, descriptor: opened) }
            return opened
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Opens a file for reading.
    package func openForReading(_ path: LocalPath) throws(Failure) -> ReadableFile {
        // Without O_NONBLOCK a named pipe would keep the caller waiting for a writer.
        let (opened, found) = try failing { () throws(SystemError) in
            let opened = Descriptor(
                try calls.openBeneath(path.text, in: descriptor.number, O_RDONLY | O_NONBLOCK), calls: calls)
            return (opened, try calls.status(of: opened.number))
        }
        return ReadableFile(opened, file: try Self.regularFile(found), calls: calls)
    }

    /// Bytes that a user without privileges can still write; nil where the file system does not say.
    package var freeSpace: Int64? { (try? calls.space(descriptor.number)) ?? nil }

    // MARK: Folders

    /// The file system that the path lies on, by the deepest of its folders that is there.
    func device(of path: LocalPath) -> dev_t? {
        var text = path.folder.map { String($0) }
        while let folder = text {
            if let opened = try? calls.openBeneath(folder, in: descriptor.number, MIRROR_O_PATH | O_DIRECTORY) {
                defer { calls.close(opened) }
                return try? calls.status(of: opened).st_dev
            }
            text = folder.parentFolder
        }
        return try? calls.status(of: descriptor.number).st_dev
    }

    /// Opens the folder that holds the file.
    func openExistingFolder(of path: LocalPath) throws(Failure) -> Descriptor {
        guard let folder = path.folder else { return descriptor }
        return try failing { () throws(SystemError) in
            Descriptor(
                try calls.openBeneath(String(folder), in: descriptor.number, O_RDONLY | O_DIRECTORY), calls: calls)
        }
    }

    /// Opens the folder, making it and those above it where they are missing.
    /// - Parameter made: called with the folder in which each new one was made.
    func openFolder(_ folder: String, made: (Descriptor) -> Void) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            return Descriptor(
                try calls.openBeneath(folder, in: descriptor.number, O_RDONLY | O_DIRECTORY), calls: calls)
        } catch {
            guard error.code == ENOENT else { throw error.failure }
        }
        var parent = descriptor
        var end = folder.utf8.startIndex
        while end < folder.utf8.endIndex {
            let start = end == folder.utf8.startIndex ? end : folder.utf8.index(after: end)
            end = folder.utf8[start...].firstIndex(of: UInt8(ascii: "/")) ?? folder.utf8.endIndex
            parent = try openFolder(
                String(folder[..<end]), named: String(folder[start..<end]), in: parent, made: made)
        }
        return parent
    }

    private func openFolder(
        _ path: String, named name: String, in parent: Descriptor, made: (Descriptor) -> Void
    ) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            try calls.makeFolder(name, in: parent.number, mode: 0o777)
            made(parent)
        } catch {
            guard error.code == EEXIST else { throw error.failure }
        }
        do throws(SystemError) {
            return Descriptor(try calls.openBeneath(path, in: descriptor.number, O_RDONLY | O_DIRECTORY), calls: calls)
        } catch {
            if error.code == ENOENT { throw .danglingFolder }
            throw error.failure
        }
    }

    /// Calls `body` with the file's name in its folder, without making a copy of it.
    func withName<Value>(
        of path: LocalPath, _ body: (UnsafePointer<CChar>) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        let start = path.text.utf8.count - path.name.utf8.count
        let outcome: Result<Value, SystemError> = path.text.withCString { text in
            do throws(SystemError) {
                return .success(try body(text + start))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}

extension Failure {
    fileprivate static let danglingFolder = Failure(
        .conflict, "a symbolic link that leads to nothing is where a folder should go")
}

extension stat {
    var kind: mode_t { st_mode & S_IFMT }

    /// Nanoseconds since 1970.
    var modified: Int64 {
        LocalFile.nanoseconds(seconds: Int64(st_mtim.tv_sec), fraction: Int64(st_mtim.tv_nsec))
    }
}

extension String {
    /// The path without its last part; nil where there is none above it.
    var parentFolder: String? {
        var bytes = utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let parent = bytes[..<slash]
        return parent.isEmpty ? (bytes.count > 1 ? "/" : nil) : String(decoding: parent, as: UTF8.self)
    }
}
