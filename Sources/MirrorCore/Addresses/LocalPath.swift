// A local path names one file below DIR. A value of this type has passed the rules that can be judged without a
// disk; symbolic links are judged by MirrorStore when the path is opened.

/// A relative path of non-empty segments, without `.`, `..` and NUL, outside mirror's own folder.
public struct LocalPath: Sendable {
    /// The segments joined with `/`.
    public let text: String

    /// The longest name of one file, in bytes (`NAME_MAX` on Linux file systems).
    package static let longestSegment = 255
    /// The longest path that one system call takes, in bytes, with room for its NUL (`PATH_MAX`).
    package static let longestPath = 4095
    /// The folder below DIR that mirror owns.
    package static let reservedFolder = ".mirror"

    /// Why a text is no local path.
    package enum Problem: Error, Equatable, Sendable {
        case empty, absolute, emptySegment, dotSegment, nul, reserved, segmentTooLong(bytes: Int), tooLong(bytes: Int)
    }

    package init(_ text: String) throws(Problem) {
        if let problem = Self.problem(in: text) { throw problem }
        self.text = text
    }

    private static func problem(in text: String) -> Problem? {
        text.withBytes { bytes in
            let slash = UInt8(ascii: "/")
            guard let first = bytes.first else { return .empty }
            if first == slash { return .absolute }
            if bytes.count > longestPath { return .tooLong(bytes: bytes.count) }
            var start = 0
            while true {
                var end = start
                while end < bytes.count, bytes[end] != slash, bytes[end] != 0 { end += 1 }
                let isLast = end == bytes.count
                if !isLast, bytes[end] == 0 { return .nul }
                if let problem = problem(in: bytes[start..<end], isFirst: start == 0) { return problem }
                if isLast { return nil }
                start = end + 1
            }
        }
    }

    private static func problem(in segment: Slice<UnsafeRawBufferPointer>, isFirst: Bool) -> Problem? {
        switch segment.count {
        case 0: return .emptySegment
        case 1...2 where segment.allSatisfy { $0 == UInt8(ascii: ".") }: return .dotSegment
        case reservedFolder.utf8.count where isFirst && segment.elementsEqual(reservedFolder.utf8): return .reserved
        case let count where count > longestSegment: return .segmentTooLong(bytes: count)
        default: return nil
        }
    }

    /// The folder that holds the file, or nil for a file directly in DIR.
    package var folder: Substring? {
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map { text[..<$0] }
    }

    /// The name of the file in its folder.
    package var name: Substring {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return text[...] }
        return text[text.utf8.index(after: slash)...]
    }
}

extension LocalPath: Hashable, CustomStringConvertible {
    /// By bytes: canonically equivalent texts differ.
    public static func == (left: LocalPath, right: LocalPath) -> Bool { left.text.hasSameBytes(as: right.text) }
    /// By bytes, as `==` compares.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
    /// The path as it is.
    public var description: String { text }
}
