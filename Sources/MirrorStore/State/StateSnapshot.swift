// The state as a dry run sees it: nothing below DIR is touched. A database whose log holds changes is copied out of
// DIR first, because reading the log would write beside it.

import Glibc
import MirrorCore

/// A database that can be looked at.
final class StateSnapshot: Sendable {
    let keeper: StateKeeper
    /// The folder of the copy, if there is one.
    private let copy: String?
    private let calls: SystemCalls

    /// - Parameters:
    ///   - mirror: the open state folder.
    ///   - path: its path, absolute.
    ///   - root: the path of DIR, absolute.
    init?(of mirror: Descriptor, at path: String, outside root: String, calls: SystemCalls) {
        self.calls = calls
        let log = try? calls.status(StateDatabase.fileName + "-wal", in: mirror.number)
        guard (try? calls.status(StateDatabase.fileName, in: mirror.number)) != nil else { return nil }
        guard let log, log.st_size > 0 else {
            copy = nil
            let uri = "file:\(Self.escaped(path))/\(StateDatabase.fileName)?immutable=1"
            keeper = StateKeeper(lookingAt: uri, .immutable)
            return
        }
        guard let folder = Self.makeFolder(outside: root) else { return nil }
        copy = folder
        guard Self.copy(from: mirror, to: folder, calls) else {
            Self.remove(folder, calls)
            return nil
        }
        keeper = StateKeeper(lookingAt: "\(folder)/\(StateDatabase.fileName)", .readWrite)
    }

    deinit {
        keeper.close()
        if let copy { Self.remove(copy, calls) }
    }

    private static let files = ["", "-wal"].map { StateDatabase.fileName + $0 }

    private static func makeFolder(outside root: String) -> String? {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        for place in [named, "/tmp", "/var/tmp", "/dev/shm"] where !place.isEmpty {
            guard let real = realPath(place), !real.isInside(root) else { continue }
            var template = Array("\(real)/mirror-XXXXXX".utf8CString)
            if let made = mkdtemp(&template) { return String(cString: made) }
        }
        return nil
    }

    private static func copy(from mirror: Descriptor, to folder: String, _ calls: SystemCalls) -> Bool {
        do {
            for name in files {
                let source = Descriptor(try calls.open(name, in: mirror.number, O_RDONLY | O_NOFOLLOW), calls: calls)
                let target = Descriptor(
                    try calls.open("\(folder)/\(name)", in: AT_FDCWD, O_RDWR | O_CREAT | O_EXCL, mode: 0o600),
                    calls: calls)
                _ = try calls.copy(from: source.number, to: target.number, count: .max)
            }
            return true
        } catch {
            return false
        }
    }

    private static func remove(_ folder: String, _ calls: SystemCalls) {
        for name in files + [StateDatabase.fileName + "-shm"] { try? calls.remove("\(folder)/\(name)", in: AT_FDCWD) }
        try? calls.removeFolder(folder, in: AT_FDCWD)
    }

    /// The path as part of a `file:` URI.
    private static func escaped(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit || "/._-".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += byte < 16 ? "%0" : "%"
                text += String(byte, radix: 16)
            }
        }
        return text
    }
}

/// The path without symbolic links, absolute; nil where nothing is there.
func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

extension String {
    /// Whether the path is `folder` or lies below it; both absolute.
    fileprivate func isInside(_ folder: String) -> Bool {
        utf8.starts(with: folder.utf8)
            && (utf8.count == folder.utf8.count || folder.utf8.last == UInt8(ascii: "/")
                || utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
    }
}
