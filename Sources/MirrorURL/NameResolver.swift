// Addresses and paths of files of which a listing gives the bare name, not a link. Every byte of the name is escaped
// that could be read as anything but itself, so that the name that was listed is the name that is asked for.

import MirrorCore

/// What the names in one folder stand for.
package final class NameResolver: Sendable {
    /// The folder, with its final `/` and without query.
    package let folder: Address
    private let start: [UInt8]

    /// - Parameter page: the URL that lists the folder. Its query counts for nothing.
    /// - Parameter isRoot: whether the whole path is the folder, with or without a slash at its end, as with buckets.
    package init(page: Address, isRoot: Bool = false) {
        folder = isRoot ? page.asFolder : page.folder
        start = Array(folder.text.utf8)
    }

    private static let slash = UInt8(ascii: "/")

    /// The address of a name; slashes in it separate folders.
    package func address(of name: Slice<UnsafeRawBufferPointer>, isFolder: Bool = false) -> Address {
        let name = UnsafeRawBufferPointer(rebasing: name)
        var escapes = 0
        for index in 0..<name.count where !Self.isPlain(name[index]) { escapes += 1 }
        let end = start.count + name.count + 2 * escapes + (isFolder ? 1 : 0)
        let text = String(unsafeUninitializedCapacity: end) { target in
            let target = UnsafeMutableRawBufferPointer(target)
            start.withUnsafeBytes { target.copyMemory(from: $0) }
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[start.count...])
            if escapes == 0 {
                rest.copyMemory(from: name)
            } else {
                Self.escape(name, to: rest)
            }
            if isFolder { target[end - 1] = Self.slash }
            return end
        }
        return Address(text: text, origin: folder.origin, pathStart: folder.pathRange.lowerBound, pathEnd: end)
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool { PercentEncoding.isUnreserved(byte) || byte == slash }

    private static func escape(_ name: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        var index = 0
        for byte in name {
            if isPlain(byte) {
                target[index] = byte
                index += 1
            } else {
                target[index] = UInt8(ascii: "%")
                target[index + 1] = PercentEncoding.digits[Int(byte >> 4)]
                target[index + 2] = PercentEncoding.digits[Int(byte & 15)]
                index += 3
            }
        }
    }

    /// Whether the bytes are their own file name.
    private static func isPlain(_ name: UnsafeRawBufferPointer) -> Bool {
        for index in 0..<name.count {
            let byte = name[index]
            // NUL, and what is not ASCII.
            if byte &- 1 >= 0x7F || byte == UInt8(ascii: "%") { return false }
        }
        return true
    }

    /// The path of a name below the folder. Unlike a link a name has no empty segments: `a//b` is no path.
    package static func path(of name: Slice<UnsafeRawBufferPointer>) throws(Failure) -> LocalPath {
        do {
            // Nearly all names are plain, and then the bytes are the path.
            if isPlain(UnsafeRawBufferPointer(rebasing: name)) {
                return try LocalPath(String(decoding: UnsafeRawBufferPointer(rebasing: name), as: UTF8.self))
            }
            var text: [UInt8] = []
            text.reserveCapacity(name.count + 8)
            var isFirst = true
            for segment in name.split(separator: slash, omittingEmptySubsequences: false) {
                if !isFirst { text.append(slash) }
                isFirst = false
                FileNameBytes.append(bytes: Array(segment), to: &text)
            }
            return try LocalPath(String(decoding: text, as: UTF8.self))
        } catch {
            throw .path(error)
        }
    }
}

extension Address {
    /// The whole path as a folder, without query.
    package var asFolder: Address {
        let bytes = Array(text.utf8.prefix(pathRange.upperBound))
        let isFolder = bytes.last == UInt8(ascii: "/")
        return Address(
            text: String(decoding: bytes, as: UTF8.self) + (isFolder ? "" : "/"), origin: origin,
            pathStart: pathRange.lowerBound, pathEnd: bytes.count + (isFolder ? 0 : 1))
    }

    /// The folder that the folder of this address lies in; the folder itself where it is the root.
    package var parentFolder: Address {
        let folder = folder
        let bytes = Array(folder.text.utf8)
        guard let slash = bytes.dropLast().lastIndex(of: UInt8(ascii: "/")), slash >= folder.pathRange.lowerBound
        else { return folder }
        return Address(
            text: String(decoding: bytes[...slash], as: UTF8.self), origin: origin,
            pathStart: folder.pathRange.lowerBound, pathEnd: slash + 1)
    }
}
