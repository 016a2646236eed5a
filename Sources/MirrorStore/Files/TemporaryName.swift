// A new file under a name that nobody uses yet, for bytes that get their real name later.

import Glibc
import MirrorCore

/// A temporary file in a folder.
final class TemporaryName {
    let name: String
    let file: Descriptor
    /// Whether it has its real name: otherwise the owner removes it.
    var isDone = false

    private init(name: String, file: Descriptor) {
        self.name = name
        self.file = file
    }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let letterCount = 6

    /// Makes a file named by the prefix and six letters and digits. It stays locked while it is open, so that it is not
    /// taken for one that was left.
    static func make(
        prefix: String, in folder: Descriptor, calls: SystemCalls
    ) throws(Failure) -> TemporaryName {
        let stem = stem(prefix)
        for _ in 0..<1000 {
            let name =
                stem
                + String(decoding: (0..<letterCount).map { _ in letters.randomElement() ?? 0x61 }, as: UTF8.self)
            do {
                let file = Descriptor(try make(name, in: folder, calls: calls), calls: calls)
                if try isOurs(file, calls) { return TemporaryName(name: name, file: file) }
            } catch {
                guard error.code == EEXIST else { throw error.failure }
            }
        }
        throw SystemError(EEXIST).failure
    }

    /// Makes a file of exactly that name. What has it is what an earlier run left there: to be used only where nobody
    /// else can be at work.
    static func make(named name: String, in folder: Descriptor, calls: SystemCalls) throws(Failure) -> TemporaryName {
        try failing { () throws(SystemError) in
            do throws(SystemError) {
                try calls.remove(name, in: folder.number)
            } catch {
                guard error.code == ENOENT else { throw error }
            }
            return TemporaryName(
                name: name, file: Descriptor(try make(name, in: folder, calls: calls), calls: calls))
        }
    }

    private static func make(_ name: String, in folder: Descriptor, calls: SystemCalls) throws(SystemError) -> Int32 {
        try calls.open(name, in: folder.number, O_RDWR | O_CREAT | O_EXCL, mode: 0o666)
    }

    /// Locks a new file. False where somebody took it for one that was left before it was locked.
    private static func isOurs(_ file: Descriptor, _ calls: SystemCalls) throws(SystemError) -> Bool {
        do {
            try calls.lock(file.number, isExclusive: true)
        } catch {
            // A file system without locks: there nobody removes what he cannot lock.
            return error.code != EWOULDBLOCK
        }
        return try calls.status(of: file.number).st_nlink > 0
    }

    /// Removes the files with that prefix that runs left which were killed: ours, and locked by nobody.
    static func removeLeftovers(prefix: String, in folder: Descriptor, calls: SystemCalls) {
        let stem = stem(prefix)
        for name in (try? calls.list(folder.number, prefix: stem)) ?? [] where isTemporary(name, stem) {
            guard let opened = try? calls.open(name, in: folder.number, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
                continue
            }
            let file = Descriptor(opened, calls: calls)
            guard let status = try? calls.status(of: file.number), status.kind == S_IFREG,
                status.st_uid == geteuid(), (try? calls.lock(file.number, isExclusive: true)) != nil
            else { continue }
            try? calls.remove(name, in: folder.number)
        }
    }

    private static func isTemporary(_ name: String, _ stem: String) -> Bool {
        name.utf8.count == stem.utf8.count + letterCount && name.utf8.starts(with: stem.utf8)
            && name.utf8.suffix(letterCount).allSatisfy(letters.contains)
    }

    private static func stem(_ prefix: String) -> String {
        var stem = prefix
        while stem.utf8.count > LocalPath.longestSegment - letterCount { stem.removeLast() }
        return stem
    }
}
