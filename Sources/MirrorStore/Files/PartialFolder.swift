// The folder of partial files. A partial file's name is the hash of the path it will take, so that long names, case
// and suffixes never clash, and a number of its own: what the state says of an earlier partial file of the same path
// can never be taken for the present one, not even after a crash.

import CXXHash
import Glibc
import MirrorCore
import MirrorThreads

/// `.mirror/partial/`, open.
final class PartialFolder: Sendable {
    let descriptor: Descriptor
    private let calls: SystemCalls
    private let nextNumber = Locked(UInt32.random(in: .min ... .max))

    init(_ descriptor: Descriptor, calls: SystemCalls) {
        self.descriptor = descriptor
        self.calls = calls
    }

    var number: Int32 { descriptor.number }

    /// Makes a new, empty file for that path.
    /// - Parameter name: one that `freshName` gave: where it cannot be made, no other can.
    func make(for path: LocalPath, name: String) throws(SystemError) -> (file: Int32, name: String) {
        var name = name
        while true {
            do {
                return (try calls.open(name, in: number, O_RDWR | O_CREAT | O_EXCL, mode: 0o666), name)
            } catch {
                guard error.code == EEXIST else { throw error.ofDirectory }
                name = freshName(for: path)
            }
        }
    }

    /// A name that is free for a file of that path.
    func freshName(for path: LocalPath) -> String { Self.name(Self.hash(of: path), freshNumber()) }

    func open(_ name: String) throws(SystemError) -> Int32 {
        try calls.open(name, in: number, O_RDWR | O_NOFOLLOW)
    }

    /// Removes a file; one that is gone already is no error.
    func remove(_ name: String) throws(SystemError) {
        do {
            try calls.remove(name, in: number)
        } catch {
            guard error.code == ENOENT else { throw error }
        }
    }

    private func freshNumber() -> UInt32 {
        nextNumber.withLock { number in
            number &+= 1
            return number
        }
    }

    /// The hash of a path, in hexadecimal digits.
    static func hashText(of path: LocalPath) -> String { String(name(hash(of: path), 0).prefix(32)) }

    private static func hash(of path: LocalPath) -> XXH128_hash_t {
        var text = path.text
        return text.withUTF8 { XXH3_128bits($0.baseAddress, $0.count) }
    }

    /// 32 hexadecimal digits of the hash, a hyphen, 8 digits of the number.
    private static func name(_ hash: XXH128_hash_t, _ number: UInt32) -> String {
        String(unsafeUninitializedCapacity: 41) { buffer in
            write(hash.high64, digits: 16, to: buffer[0..<16])
            write(hash.low64, digits: 16, to: buffer[16..<32])
            buffer[32] = UInt8(ascii: "-")
            write(UInt64(number), digits: 8, to: buffer[33..<41])
            return 41
        }
    }

    private static func write(_ value: UInt64, digits: Int, to buffer: Slice<UnsafeMutableBufferPointer<UInt8>>) {
        var buffer = buffer
        var rest = value
        for index in buffer.indices.reversed() {
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            rest >>= 4
        }
    }
}
