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
        guard let first = text.utf8.first else { return .empty }
        if first == UInt8(ascii: "/") { return .absolute }
        if text.utf8.count > longestPath { return .tooLong(bytes: text.utf8.count) }
        if text.utf8.contains(0) { return .nul }
        var isFirst = true
        for segment in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if segment.isEmpty { return .emptySegment }
            if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) { return .dotSegment }
            if segment.count > longestSegment { return .segmentTooLong(bytes: segment.count) }
            if isFirst, segment.elementsEqual(reservedFolder.utf8) { return .reserved }
            isFirst = false
        }
        return nil
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
    public static func == (left: LocalPath, right: LocalPath) -> Bool { left.text.hasSameBytes(as: right.text) }
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
    public var description: String { text }
}
