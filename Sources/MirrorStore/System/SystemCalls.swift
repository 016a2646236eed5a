// The one place that makes system calls. Interrupted calls and short writes are dealt with here and nowhere else, and
// here every call can be watched. It never judges: an error is handed on as the number it came with.

import CLinux
import Glibc

/// System calls, watched or not.
package struct SystemCalls: Sendable {
    /// Nil in production.
    private let observer: (any SystemCallObserver)?
    /// In place of what the kernel says; nil in production.
    private let pretendedStart: String?

    /// False where the kernel has to be done without.
    private let usesOpenat2: Bool

    package init(
        observer: (any SystemCallObserver)? = nil, machineStart: String? = nil, usesOpenat2: Bool = Self.hasOpenat2
    ) {
        self.observer = observer
        pretendedStart = machineStart
        self.usesOpenat2 = usesOpenat2
    }

    /// Whether this kernel has the call and this container allows it.
    package static let hasOpenat2: Bool = {
        let flags = UInt64(UInt32(bitPattern: MIRROR_O_PATH | O_DIRECTORY | O_CLOEXEC))
        let file = mirror_openat2(AT_FDCWD, ".", flags, 0, UInt64(RESOLVE_BENEATH))
        let code = errno
        if file >= 0 { Glibc.close(file) }
        return file >= 0 || code != ENOSYS && code != EPERM
    }()

    // MARK: Names

    package func open(
        _ path: UnsafePointer<CChar>, in folder: Int32, _ flags: Int32, mode: UInt32 = 0
    ) throws(SystemError) -> Int32 {
        try opening(path, folder, flags, mode) { openat(folder, path, flags | O_CLOEXEC, mode) }
    }

    /// Opens what lies beneath `folder`, whatever symbolic links the path has.
    /// - Parameter followsLinks: false refuses every symbolic link.
    package func openBeneath(
        _ path: UnsafePointer<CChar>, in folder: Int32, _ flags: Int32, followsLinks: Bool = true
    ) throws(SystemError) -> Int32 {
        guard usesOpenat2 else {
            var walk = BeneathWalk(calls: self, root: folder, followsLinks: followsLinks)
            return try walk.open(String(cString: path), flags)
        }
        let resolve = UInt64(RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (followsLinks ? 0 : RESOLVE_NO_SYMLINKS))
        var attempts = 0
        while true {
            do {
                return try opening(path, folder, flags, 0) {
                    mirror_openat2(folder, path, UInt64(UInt32(bitPattern: flags | O_CLOEXEC)), 0, resolve)
                }
            } catch {
                // The kernel could not rule out that a «..» left the folder while something was renamed.
                attempts += 1
                guard error.code == EAGAIN, attempts < 100 else { throw error }
            }
        }
    }

    private func opening(
        _ path: UnsafePointer<CChar>, _ folder: Int32, _ flags: Int32, _ mode: UInt32, _ body: () -> Int32
    ) throws(SystemError) -> Int32 {
        func call() -> SystemCall { .open(path: String(cString: path), folder: folder, flags: flags, mode: mode) }
        return Int32(truncatingIfNeeded: try perform(call()) { Int(body()) })
    }

    /// Errors of close are not reported: what was to be safe has been synced before.
    package func close(_ file: Int32) {
        _ = observer?.willCall(.close(file: file), bytes: nil)
        // Never again after EINTR: Linux has closed it by then.
        _ = Glibc.close(file)
    }

    package func makeFolder(
        _ path: UnsafePointer<CChar>, in folder: Int32, mode: UInt32
    ) throws(SystemError) {
        _ = try perform(.makeFolder(path: String(cString: path), folder: folder, mode: mode)) {
            Int(mkdirat(folder, path, mode))
        }
    }

    /// - Parameter replaces: false gives EEXIST where the new name is taken, EINVAL where the file system cannot do so.
    package func rename(
        _ from: UnsafePointer<CChar>, in fromFolder: Int32, to: UnsafePointer<CChar>, in toFolder: Int32,
        replaces: Bool = true
    ) throws(SystemError) {
        func call() -> SystemCall {
            .rename(
                from: String(cString: from), fromFolder: fromFolder, to: String(cString: to), toFolder: toFolder,
                replaces: replaces)
        }
        _ = try perform(call()) {
            Int(
                replaces
                    ? renameat(fromFolder, from, toFolder, to)
                    : mirror_renameat_noreplace(fromFolder, from, toFolder, to))
        }
    }

    package func remove(_ path: UnsafePointer<CChar>, in folder: Int32) throws(SystemError) {
        _ = try perform(.remove(path: String(cString: path), folder: folder)) { Int(unlinkat(folder, path, 0)) }
    }

    package func removeFolder(_ path: UnsafePointer<CChar>, in folder: Int32) throws(SystemError) {
        _ = try perform(.remove(path: String(cString: path), folder: folder)) {
            Int(unlinkat(folder, path, AT_REMOVEDIR))
        }
    }

    /// The names in a folder, without `.` and `..`.
    /// - Parameter prefix: what they begin with; of others no text is made.
    package func list(_ folder: Int32, prefix: String = "") throws(SystemError) -> [String] {
        var names: [String] = []
        try visit(folder) { name in
            if name.starts(with: prefix.utf8) { names.append(String(decoding: name, as: UTF8.self)) }
            return true
        }
        return names
    }

    /// The first name in a folder, in no order, that `isWanted`.
    func firstName(in folder: Int32, where isWanted: (String) -> Bool) throws(SystemError) -> String? {
        var found: String?
        try visit(folder) { name in
            let text = String(decoding: name, as: UTF8.self)
            if isWanted(text) { found = text }
            return found == nil
        }
        return found
    }

    /// Whether a folder holds nothing, or nothing but this name.
    package func holdsNothing(but name: String, in folder: Int32) throws(SystemError) -> Bool {
        var isEmpty = true
        try visit(folder) { found in
            isEmpty = found.elementsEqual(name.utf8)
            return isEmpty
        }
        return isEmpty
    }

    /// - Parameter body: gets each name but `.` and `..`; false ends the visit.
    private func visit(_ folder: Int32, _ body: (UnsafeRawBufferPointer) -> Bool) throws(SystemError) {
        // A descriptor of its own: the stream takes it over and keeps its place in it.
        let copy = try open(".", in: folder, O_RDONLY | O_DIRECTORY)
        _ = try perform(.list(folder: folder)) { 0 }
        guard let stream = fdopendir(copy) else {
            let code = errno
            close(copy)
            throw SystemError(code)
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError(errno) }
                return
            }
            let goesOn = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let name = UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 })
                return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) || body(name)
            }
            if !goesOn { return }
        }
    }

    // MARK: Status

    package func status(of descriptor: Int32) throws(SystemError) -> stat {
        var status = stat()
        _ = try perform(.status(path: "", descriptor: descriptor)) { Int(fstat(descriptor, &status)) }
        return status
    }

    package func status(
        _ path: UnsafePointer<CChar>, in folder: Int32, followsLinks: Bool = false
    ) throws(SystemError) -> stat {
        var status = stat()
        _ = try perform(.status(path: String(cString: path), descriptor: folder)) {
            Int(fstatat(folder, path, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW))
        }
        return status
    }

    /// What a symbolic link says that is open.
    func target(of link: Int32) throws(SystemError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try perform(.status(path: "", descriptor: link)) {
            readlinkat(link, "", &buffer, buffer.count)
        }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether files can be made in the folder: EACCES or EROFS where not.
    package func testWritable(_ folder: Int32) throws(SystemError) {
        _ = try perform(.access(folder: folder)) { Int(faccessat(folder, ".", W_OK | X_OK, AT_EACCESS)) }
    }

    /// Bytes that a user without privileges can still write; nil where the file system does not say.
    package func space(_ folder: Int32) throws(SystemError) -> Int64? {
        var space = statvfs()
        _ = try perform(.space(folder: folder)) { Int(fstatvfs(folder, &space)) }
        // FUSE answers for those that cannot tell, and says that there are no blocks at all, free or not.
        guard space.f_blocks > 0 else { return nil }
        let (bytes, overflow) = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
        return overflow ? Int64.max : Int64(clamping: bytes)
    }

    // MARK: Bytes

    /// Writes all of the bytes.
    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int64
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let position = offset + Int64(done)
            done += try progress(
                transfer(.write(file: file, offset: position, count: rest.count), rest) {
                    pwrite(file, rest.baseAddress, $0, Int(position))
                })
        }
    }

    /// Writes all of the bytes where the file stands.
    package func append(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try progress(
                transfer(.append(file: file, count: rest.count), rest) {
                    Glibc.write(file, rest.baseAddress, $0)
                })
        }
    }

    /// A write of nothing without an error would be tried for ever. Gnulib's full_write takes it for a full disk.
    private func progress(_ count: Int) throws(SystemError) -> Int {
        if count == 0 { throw SystemError(ENOSPC) }
        return count
    }

    /// Fills the buffer as far as the file goes.
    /// - Returns: bytes read; fewer than the buffer holds only at the end of the file.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, from file: Int32, at offset: Int64
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let position = offset + Int64(done)
            let count = try transfer(
                .read(file: file, offset: position, count: rest.count), UnsafeRawBufferPointer(rest), isWrite: false
            ) {
                pread(file, rest.baseAddress, $0, Int(position))
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Whether a read would not have to wait, at the end of a pipe too.
    /// - Parameter milliseconds: how long to wait for it.
    package func isReadable(_ file: Int32, within milliseconds: Int32) throws(SystemError) -> Bool {
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        let count = poll(&entry, 1, milliseconds)
        if count < 0, errno != EINTR { throw SystemError(errno) }
        return count > 0
    }

    /// Reads some bytes from where the file stands, which may be a pipe.
    /// - Returns: 0 at the end.
    package func readOn(into buffer: UnsafeMutableRawBufferPointer, from file: Int32) throws(SystemError) -> Int {
        while true {
            let count = Glibc.read(file, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            let code = errno
            if code != EINTR { throw SystemError(code) }
        }
    }

    // MARK: Attributes and safety

    /// Sets modification and access time.
    /// - Parameter seconds: since 1970.
    package func setTime(_ seconds: Int64, of file: Int32) throws(SystemError) {
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        _ = try perform(.setTime(file: file, seconds: seconds)) {
            withUnsafeBytes(of: (time, time)) { Int(futimens(file, $0.bindMemory(to: timespec.self).baseAddress)) }
        }
    }

    package func setMode(_ mode: UInt32, of file: Int32) throws(SystemError) {
        _ = try perform(.setMode(file: file, mode: mode)) { Int(fchmod(file, mode)) }
    }

    package func dataSync(_ file: Int32) throws(SystemError) {
        _ = try perform(.dataSync(file: file)) { Int(fdatasync(file)) }
    }

    package func sync(_ file: Int32) throws(SystemError) {
        _ = try perform(.sync(file: file)) { Int(fsync(file)) }
    }

    /// Brings the names in a folder to the disk. Some file systems cannot be asked for that, and keep names in their
    /// own way.
    package func syncFolder(_ folder: Int32) throws(SystemError) {
        do {
            try sync(folder)
        } catch {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) else { throw error }
        }
    }

    /// Everything that was written to the file system that holds `file`.
    package func syncFileSystem(_ file: Int32) throws(SystemError) {
        _ = try perform(.syncFileSystem(file: file)) { Int(mirror_syncfs(file)) }
    }

    /// Takes the kernel's lock without waiting: EWOULDBLOCK where somebody else has it.
    package func lock(_ file: Int32, isExclusive: Bool) throws(SystemError) {
        _ = try perform(.lock(file: file, isExclusive: isExclusive)) {
            Int(flock(file, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB))
        }
    }

    /// SQLite is about to write. Nothing happens here but that it can be seen, and made to fail.
    package func announceTransaction(changes: Int) throws(SystemError) {
        guard observer != nil else { return }
        _ = try perform(.transaction(changes: changes)) { 0 }
    }

    /// Names the time since the machine was started, another name after each start; nil where the kernel does not say.
    package func machineStart() -> String? {
        if let pretendedStart { return pretendedStart }
        guard let file = try? open("/proc/sys/kernel/random/boot_id", in: AT_FDCWD, O_RDONLY) else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            guard let count = try? readOn(into: buffer, from: file), count > 0 else { return nil }
            return String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    // MARK: The loop

    private func perform(_ call: @autoclosure () -> SystemCall, _ body: () -> Int) throws(SystemError) -> Int {
        while true {
            if let observer, case .fail(let code) = observer.willCall(call(), bytes: nil) {
                if code == EINTR { continue }
                throw SystemError(code)
            }
            let result = body()
            if result >= 0 {
                observer?.didCall(call(), bytes: nil, result: result)
                return result
            }
            let code = errno
            if code != EINTR { throw SystemError(code) }
        }
    }

    /// A call that moves bytes and may move fewer than it was asked to.
    /// - Parameter body: gets the number of bytes.
    func transfer(
        _ call: @autoclosure () -> SystemCall, _ bytes: UnsafeRawBufferPointer, isWrite: Bool = true,
        count: Int? = nil, _ body: (Int) -> Int
    ) throws(SystemError) -> Int {
        while true {
            var allowed = count ?? bytes.count
            if let observer {
                switch observer.willCall(call(), bytes: isWrite ? bytes : nil) {
                case .proceed: break
                case .limit(let most): allowed = min(allowed, max(most, 0))
                case .fail(EINTR): continue
                case .fail(let code): throw SystemError(code)
                }
            }
            let result = body(allowed)
            if result >= 0 {
                observer?.didCall(call(), bytes: isWrite ? bytes : nil, result: result)
                return result
            }
            let code = errno
            if code != EINTR { throw SystemError(code) }
        }
    }
}
