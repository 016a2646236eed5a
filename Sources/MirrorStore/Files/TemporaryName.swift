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

    /// Makes a file named by the prefix and six letters and digits.
    static func make(
        prefix: String, in folder: Descriptor, calls: SystemCalls
    ) throws(Failure) -> TemporaryName {
        var stem = prefix
        while stem.utf8.count > LocalPath.longestSegment - 6 { stem.removeLast() }
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        for _ in 0..<1000 {
            let name = stem + String(decoding: (0..<6).map { _ in letters.randomElement() ?? 0x61 }, as: UTF8.self)
            do {
                let file = try calls.open(name, in: folder.number, O_RDWR | O_CREAT | O_EXCL, mode: 0o666)
                return TemporaryName(name: name, file: Descriptor(file, calls: calls))
            } catch {
                guard error.code == EEXIST else { throw error.failure }
            }
        }
        throw SystemError(EEXIST).failure
    }
}
