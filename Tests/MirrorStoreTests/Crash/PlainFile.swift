// Files read, written and compared as plainly as can be: thousands of trees are made and looked at, in a build that is
// not optimised.

import Glibc

/// Whole files, past all that is under test.
enum PlainFile {
    /// Nil where there is none.
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while count < buffer.count {
                let got = pread(file, buffer.baseAddress.map { $0 + count }, buffer.count - count, count)
                guard got > 0 else { return }
                count += got
            }
        }
    }

    /// - Parameter modified: nanoseconds since 1970; nil for now.
    static func write(_ bytes: [UInt8], to path: String, modified: Int64? = nil) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { return }
        defer { close(file) }
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, done)
                guard count > 0 else { return }
                done += count
            }
        }
        guard let modified else { return }
        let time = timespec(tv_sec: Int(modified / 1_000_000_000), tv_nsec: Int(modified % 1_000_000_000))
        withUnsafeBytes(of: (time, time)) { _ = futimens(file, $0.bindMemory(to: timespec.self).baseAddress) }
    }

    static func modified(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
}

extension [UInt8] {
    func isSame(as other: [UInt8]) -> Bool { count == other.count && isSame(as: other, 0..<count) }

    /// Whether both have these bytes, and the same ones.
    func isSame(as other: [UInt8], _ range: Range<Int>) -> Bool {
        guard range.upperBound <= count, range.upperBound <= other.count else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { others in
                guard !range.isEmpty, let mine = mine.baseAddress, let others = others.baseAddress else { return true }
                return memcmp(mine + range.lowerBound, others + range.lowerBound, range.count) == 0
            }
        }
    }

    /// Writes over what is there, or behind it.
    mutating func put(_ bytes: ArraySlice<UInt8>, at offset: Int) {
        grow(to: offset + bytes.count)
        withUnsafeMutableBytes { target in
            bytes.withUnsafeBytes { source in
                guard let start = target.baseAddress, let from = source.baseAddress else { return }
                memcpy(start + offset, from, source.count)
            }
        }
    }

    mutating func grow(to size: Int) {
        if count < size { self += [UInt8](repeating: 0, count: size - count) }
    }

    mutating func truncate(to size: Int) {
        if count > size { removeLast(count - size) } else { grow(to: size) }
    }
}
