// The command line as others may see it: every user of the machine can list the words of every process. It only hides
// what is there; how options are read is told elsewhere.

import MirrorKit

/// Arguments without their secrets.
enum ShownArguments {
    private static let mark = Array("***".utf8)

    /// The same arguments, none of them longer: values of secret options, and of URLs the user, the password and the
    /// query, are replaced.
    static func of(_ arguments: [String]) -> [[UInt8]] {
        var isValue = false
        var isOver = false
        return arguments.map { argument in
            let bytes = Array(argument.utf8)
            if isValue {
                isValue = false
                return hidden(bytes, from: 0)
            }
            guard !isOver, bytes.count > 1, bytes.first == UInt8(ascii: "-") else { return withoutURLSecrets(bytes) }
            isOver = argument.hasSameBytes(as: "--")
            guard let start = secretStart(in: bytes) else { return withoutURLSecrets(bytes) }
            isValue = start == bytes.count
            return hidden(bytes, from: start)
        }
    }

    /// Where the value of a secret option starts: at the end when it is the next argument.
    private static func secretStart(in bytes: [UInt8]) -> Int? {
        for option in OptionTable.sync where option.isSecret {
            let long = Array("--\(option.name)".utf8)
            if bytes == long { return bytes.count }
            if bytes.starts(with: long + [UInt8(ascii: "=")]) { return long.count + 1 }
        }
        guard bytes[1] != UInt8(ascii: "-") else { return nil }
        // Letters in a row: the first one that takes a value ends the row.
        for index in 1..<bytes.count {
            let letter = Character(UnicodeScalar(bytes[index]))
            guard let option = OptionTable.sync.first(where: { $0.letter == letter }) else { return nil }
            if option.takesValue { return option.isSecret ? index + 1 : nil }
        }
        return nil
    }

    private static func hidden(_ bytes: [UInt8], from start: Int) -> [UInt8] {
        start < bytes.count ? Array(bytes[..<start] + mark.prefix(bytes.count - start)) : bytes
    }

    private static func withoutURLSecrets(_ bytes: [UInt8]) -> [UInt8] {
        let scheme = Array("://".utf8)
        guard let index = bytes.indices.first(where: { bytes[$0...].starts(with: scheme) }) else { return bytes }
        let start = index + scheme.count
        var visible = bytes[..<start]
        var rest = bytes[start...]
        // A password may have any byte raw: the last `@` ends it. One in a path is hidden with what is before it.
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            visible += mark.prefix(at - start)
            rest = rest[at...]
        }
        if let query = rest.firstIndex(of: UInt8(ascii: "?")) {
            visible += rest[...query] + mark.prefix(rest.endIndex - query - 1)
        } else {
            visible += rest
        }
        return Array(visible)
    }
}
