// Which local path a URL stands for. The query is never part of it; a path that is not safe is a failure, not repaired.

import MirrorCore

/// Makes local paths of addresses.
package enum LocalName {
    /// The path of an address, or nil where its path ends in `/`, so that the server must name the file.
    /// - Parameter folder: a folder below DIR that the path goes below.
    package static func path(
        for address: Address, layout: Layout, below folder: LocalPath? = nil
    ) throws(Failure) -> LocalPath? {
        var text = start(folder, layout == .host ? address.origin : nil)
        var path = address.path
        let hasName = path.withUTF8 { append(UnsafeRawBufferPointer($0), layout, hasName: true, to: &text) }
        return hasName ? try localPath(text) : nil
    }

    /// Whether a path is the name at the end of an address, byte by byte, as most are. False tells nothing.
    package static func isName(_ path: LocalPath, of address: Address) -> Bool {
        path.text.withBytes { name in
            address.text.withBytes { url in
                let slash = UInt8(ascii: "/")
                let end = address.pathRange.upperBound, start = end - name.count
                // Without an escape a segment stands for itself.
                return start > address.pathRange.lowerBound && url[start - 1] == slash
                    && url[start..<end].hasSameBytes(as: name)
                    && name[...].position(of: slash) == nil && name[...].position(of: UInt8(ascii: "%")) == nil
            }
        }
    }

    /// The path of a file whose name the server suggests, in the folder that the layout gives the address.
    package static func path(
        suggested name: String, for address: Address, layout: Layout, below folder: LocalPath? = nil
    ) throws(Failure) -> LocalPath {
        if name.utf8.contains(UInt8(ascii: "/")) {
            throw Failure(.unsafePath, "the file name that the server suggests is a path")
        }
        var text = start(folder, layout == .host ? address.origin : nil)
        var path = address.path
        _ = path.withUTF8 { append(UnsafeRawBufferPointer($0), layout, hasName: false, to: &text) }
        text += name.utf8
        return try localPath(text)
    }

    /// The path that some segments of a URL's path stand for. Empty segments count for nothing: servers list `a//` for
    /// the folder `a/`.
    static func path(ofSegments segments: Slice<UnsafeRawBufferPointer>) throws(Failure) -> LocalPath {
        // A plain name, as nearly all are, is taken as it is.
        if segments.position(of: UInt8(ascii: "%")) == nil, segments.position(of: UInt8(ascii: "/")) == nil {
            return try localPath(UnsafeRawBufferPointer(rebasing: segments))
        }
        var text: [UInt8] = []
        text.reserveCapacity(segments.count)
        var start = segments.startIndex
        while start < segments.endIndex {
            let end = segments[start...].position(of: UInt8(ascii: "/")) ?? segments.endIndex
            if end > start {
                if !text.isEmpty { text.append(UInt8(ascii: "/")) }
                FileNameBytes.append(segments[start..<end], to: &text)
            }
            start = end + 1
        }
        return try localPath(text)
    }

    /// The path with a folder put in front.
    package static func path(_ path: LocalPath, below folder: LocalPath?) throws(Failure) -> LocalPath {
        guard let folder else { return path }
        return try localPath(Array("\(folder.text)/\(path.text)".utf8))
    }

    /// What stands before the path of the URL, its last `/` included.
    private static func start(_ folder: LocalPath?, _ origin: Origin?) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(128)
        if let folder { text += "\(folder.text)/".utf8 }
        if let origin {
            text += host(of: origin)
            text.append(UInt8(ascii: "/"))
        }
        return text
    }

    /// Appends the folders and the name of a URL's path, which starts with `/`.
    /// - Parameter hasName: whether the last segment is the name, or makes room for another one.
    /// - Returns: whether there is a last segment.
    private static func append(
        _ path: UnsafeRawBufferPointer, _ layout: Layout, hasName: Bool, to text: inout [UInt8]
    ) -> Bool {
        let slash = UInt8(ascii: "/")
        var start = min(1, path.count)
        while let end = path[start...].position(of: slash) {
            if layout != .name {
                FileNameBytes.append(path[start..<end], to: &text)
                text.append(slash)
            }
            start = end + 1
        }
        if hasName { FileNameBytes.append(path[start...], to: &text) }
        return start < path.count
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

    private static func localPath(_ bytes: some Collection<UInt8>) throws(Failure) -> LocalPath {
        do {
            return try LocalPath(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw .path(error)
        }
    }
}
