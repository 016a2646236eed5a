// User name and password in a URL, which belong to its origin like every credential.

import MirrorCore

extension Address {
    /// What stands between `://` and the `@` before the host; nil for nothing.
    private var userInfo: Substring? {
        let authority = text.utf8.dropFirst(origin.scheme.utf8.count + "://".utf8.count)
            .prefix { $0 != UInt8(ascii: "/") }
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        return text[authority.startIndex..<end]
    }

    /// The address with user name and password of another one, where it has none itself and both are of one origin.
    package func inheritingUserInfo(from other: Address, _ parser: URLParser) -> Address {
        guard other.origin == origin, userInfo == nil, let inherited = other.userInfo else { return self }
        let rest = text.utf8.dropFirst(origin.scheme.utf8.count + "://".utf8.count)
        return (try? parser.parse("\(origin.scheme)://\(inherited)@\(Substring(rest))")) ?? self
    }
}
