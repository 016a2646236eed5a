// Which local path a URL stands for. The query is never part of it; a path that is not safe is a failure, not repaired.

import MirrorCore

/// Makes local paths of addresses.
package enum LocalName {
    /// The path of an address, or nil where its path ends in `/`, so that the server must name the file.
    /// - Parameter folder: a folder below DIR that the path goes below.
    package static func path(
        for address: Address, layout: Layout, below folder: LocalPath? = nil
    ) throws(Failure) -> LocalPath? {
        let last = address.lastSegment
        if last.isEmpty { return nil }
        var text = try start(of: address, layout, below: folder)
        FileNameBytes.append(last.utf8, to: &text)
        return try localPath(text)
    }

    /// The path of a file whose name the server suggests, in the folder that the layout gives the address.
    package static func path(
        suggested name: String, for address: Address, layout: Layout, below folder: LocalPath? = nil
    ) throws(Failure) -> LocalPath {
        if name.utf8.contains(UInt8(ascii: "/")) {
            throw Failure(.unsafePath, "the file name that the server suggests is a path")
        }
        var text = try start(of: address, layout, below: folder)
        text += name.utf8
        return try localPath(text)
    }

    /// The path with a folder put in front.
    package static func path(_ path: LocalPath, below folder: LocalPath?) throws(Failure) -> LocalPath {
        guard let folder else { return path }
        return try localPath(Array("\(folder.text)/\(path.text)".utf8))
    }

    /// What stands before the name, its last `/` included.
    private static func start(
        of address: Address, _ layout: Layout, below folder: LocalPath?
    ) throws(Failure) -> [UInt8] {
        var text: [UInt8] = []
        if let folder { text += "\(folder.text)/".utf8 }
        guard layout != .name else { return text }
        if layout == .host {
            text += host(of: address.origin)
            text.append(UInt8(ascii: "/"))
        }
        let path = address.path.utf8.dropFirst()
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return text }
        for segment in path[..<slash].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            FileNameBytes.append(segment, to: &text)
            text.append(UInt8(ascii: "/"))
        }
        return text
    }

    /// The host, with its port where that is not the one of the scheme.
    private static func host(of origin: Origin) -> Substring.UTF8View {
        let host = origin.description.utf8.dropFirst(origin.scheme.utf8.count + 3)
        for (scheme, port) in defaultPorts where origin.scheme.utf8.elementsEqual(scheme.utf8) {
            if host.suffix(port.utf8.count).elementsEqual(port.utf8) { return host.dropLast(port.utf8.count) }
        }
        return host
    }

    private static let defaultPorts = [
        ("https", ":443"), ("http", ":80"), ("ftp", ":21"), ("ftps", ":990"), ("sftp", ":22"), ("file", ":0"),
    ]

    private static func localPath(_ bytes: [UInt8]) throws(Failure) -> LocalPath {
        do {
            return try LocalPath(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw .path(error)
        }
    }
}
