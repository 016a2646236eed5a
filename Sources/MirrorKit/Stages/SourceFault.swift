// Faults of sources as a user reads them.

import MirrorCore

/// One fault, placed.
public struct SourceFault: Sendable, Equatable, CustomStringConvertible {
    /// The source as the user named it, secrets replaced.
    public let source: String
    /// From 1; 0 where the source as a whole is meant.
    public let line: Int
    /// From 1, in bytes; 0 where the line as a whole is meant.
    public let column: Int
    /// One sentence without final stop.
    public let message: String

    /// `file:line:column: message`, as compilers write it.
    public var description: String {
        var place = source
        if line > 0 { place += ":\(line)" }
        if column > 0 { place += ":\(column)" }
        return "\(place): \(message)"
    }

    init(_ place: SourcePlace, column: Int, message: String, names: [String]) {
        let index = Int(place.source)
        source = names.indices.contains(index) ? names[index] : "source"
        line = Int(place.line)
        self.column = column
        self.message = message
    }

    init(_ conflict: TargetConflict, names: [String]) {
        let first = SourceFault(conflict.first, column: 0, message: "", names: names)
        let what =
            switch conflict.kind {
            case .twoURLs: "another URL has the same path"
            case .twoPromises: "the same URL is named again with other options"
            case .fileAndFolder: "the path is a file for one URL and a folder for another"
            }
        let place = first.line > 0 ? "\(first.source):\(first.line)" : first.source
        self.init(
            conflict.second, column: 0, message: "\(what): «\(conflict.path)», first at \(place)", names: names)
    }
}
