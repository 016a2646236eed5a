// Patterns for paths, written as for rsync (its manual page, FILTER RULES). Bytes are matched, not characters: names
// need not be of any encoding. Matching takes no more than the product of both lengths, whatever the pattern.

/// One pattern.
public struct GlobPattern: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case byte(UInt8)
        /// `?`: one byte but a slash.
        case any
        /// `*`: any bytes but slashes.
        case name
        /// `**`: any bytes.
        case path
        /// `[…]`: one of these bytes but a slash.
        case set(Set<UInt8>)
    }

    /// Why a text is no pattern: one sentence without final stop.
    public struct Problem: Error, Equatable, Sendable {
        /// The sentence.
        public let message: String
    }

    /// As it was written.
    public let text: String
    private let parts: [Part]
    /// Whether it starts at DIR, because it starts with a slash.
    private let isAnchored: Bool
    /// Whether it stands for folders alone, because it ends in a slash.
    private let isFolderOnly: Bool
    /// Whether it is matched against whole paths, because a slash or `**` is in it.
    private let matchesPaths: Bool

    /// - Parameter text: `*`, `?` and `[…]` stand for what is no slash, `**` for anything; `\` takes a byte as it is. A
    ///   slash at the start ties the pattern to DIR, one at the end to folders.
    public init(_ text: String) throws(Problem) {
        self.text = text
        var bytes = Array(text.utf8)[...]
        isAnchored = bytes.first == UInt8(ascii: "/")
        if isAnchored { bytes = bytes.dropFirst() }
        isFolderOnly = bytes.last == UInt8(ascii: "/")
        if isFolderOnly { bytes = bytes.dropLast() }
        guard !bytes.isEmpty else { throw Problem(message: "an empty pattern matches nothing") }
        parts = try Self.parts(of: bytes)
        matchesPaths = parts.contains { $0 == .path || $0 == .byte(UInt8(ascii: "/")) }
    }

    private static func parts(of bytes: ArraySlice<UInt8>) throws(Problem) -> [Part] {
        var parts: [Part] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                let isPath = rest.first == byte
                rest = rest.drop { $0 == byte }
                parts.append(isPath ? .path : .name)
            case UInt8(ascii: "?"): parts.append(.any)
            case UInt8(ascii: "["): parts.append(.set(try set(&rest)))
            case UInt8(ascii: "\\"): parts.append(.byte(rest.popFirst() ?? byte))
            default: parts.append(.byte(byte))
            }
        }
        return parts
    }

    /// The bytes of a set, whose `[` has been read.
    private static func set(_ rest: inout ArraySlice<UInt8>) throws(Problem) -> Set<UInt8> {
        let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if isNegated { rest = rest.dropFirst() }
        var bytes: Set<UInt8> = []
        var isFirst = true
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "]"), !isFirst {
                return isNegated ? Set(0...255).subtracting(bytes) : bytes
            }
            isFirst = false
            let low = byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte
            if rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first, high != UInt8(ascii: "]") {
                rest = rest.dropFirst(2)
                guard low <= high else { throw Problem(message: "a set of the pattern runs backwards") }
                bytes.formUnion(low...high)
            } else {
                bytes.insert(low)
            }
        }
        throw Problem(message: "a «[» of the pattern is not closed")
    }

    /// Whether the pattern stands for a file, or for a folder that the file lies in.
    public func matches(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        for end in bytes.indices where bytes[end] == UInt8(ascii: "/") {
            if matches(bytes[..<end], isFolder: true) { return true }
        }
        return matches(bytes[...], isFolder: false)
    }

    /// Whether the pattern stands for a folder, or for one that it lies in.
    public func matches(folder path: String) -> Bool { matches(path + "/") }

    private func matches(_ path: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
        guard isFolder || !isFolderOnly else { return false }
        if isAnchored { return matches(path) }
        // Without a slash at its start the pattern may begin after any slash of the path; without any slash in it, it
        // is the name that counts.
        var start = path.startIndex
        if !matchesPaths, let slash = path.lastIndex(of: UInt8(ascii: "/")) { start = slash + 1 }
        while true {
            if matches(path[start...]) { return true }
            guard let slash = path[start...].firstIndex(of: UInt8(ascii: "/")) else { return false }
            start = slash + 1
        }
    }

    /// Matches all of a text: every state that the parts can be in, side by side, one byte after the other.
    private func matches(_ text: ArraySlice<UInt8>) -> Bool {
        var states = Array(repeating: false, count: parts.count + 1)
        enter(0, &states)
        for byte in text {
            var next = Array(repeating: false, count: parts.count + 1)
            for (index, part) in parts.enumerated() where states[index] {
                switch part {
                case .byte(let wanted): if byte == wanted { enter(index + 1, &next) }
                case .any: if byte != UInt8(ascii: "/") { enter(index + 1, &next) }
                case .set(let bytes): if byte != UInt8(ascii: "/"), bytes.contains(byte) { enter(index + 1, &next) }
                case .name: if byte != UInt8(ascii: "/") { enter(index, &next) }
                case .path: enter(index, &next)
                }
            }
            states = next
        }
        return states[parts.count]
    }

    /// Enters a state and those that are reached from it without a byte.
    private func enter(_ index: Int, _ states: inout [Bool]) {
        var index = index
        states[index] = true
        while index < parts.count, parts[index] == .name || parts[index] == .path {
            index += 1
            states[index] = true
        }
    }
}
