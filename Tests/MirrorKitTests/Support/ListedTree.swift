// A tree of files on the wicked origin with the pages that list it, made anew for each request. What a test serves at a
// path of its own goes before it.

import MirrorKit
import MirrorStore
import MirrorTestSupport

/// Files by their paths, and index pages for all folders above them.
final class ListedTree: Sendable {
    /// How a page is written.
    enum Form: Sendable {
        /// As nginx writes it.
        case html
        /// As nginx writes it with `autoindex_format xml`: exact sizes and times.
        case xml
        /// A bare list of links by a server that nobody knows; folders have no slash.
        case links
    }

    struct State: Sendable {
        var files: [String: Resource] = [:]
        /// Files and folders that no page names though they are there.
        var hidden: Set<String> = []
        /// Folders that are there though they are empty.
        var folders: Set<String> = []
    }

    let form: Form
    private let state = MirrorTestSupport.Locked(State())

    init(_ form: Form = .html, on origin: WickedOrigin) {
        self.form = form
        origin.serveOthers { [self] request in answer(to: request) }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Adds small files that differ.
    func add(_ paths: String...) {
        change { state in
            for path in paths { state.files[path] = .plain(Self.body(path)) }
        }
    }

    /// The paths of all files that are there.
    var files: [String] { state.read { Array($0.files.keys) } }

    func remove(_ path: String) { change { $0.files[path] = nil } }

    func hide(_ path: String) { change { _ = $0.hidden.insert(path) } }

    static func body(_ path: String) -> Body { .text("the bytes of \(path)\n") }

    // MARK: Answers

    func answer(to request: Request) -> Answer {
        let path = request.path
        let state = state.read { $0 }
        if let file = state.files[path] { return file.answer(to: request) }
        if !path.hasSuffix("/"), isFolder("\(path)/", state) { return .redirect(to: "\(path)/", status: 301) }
        guard path.hasSuffix("/"), isFolder(path, state) else { return .status(404) }
        return page(path, state)
    }

    /// The page of a folder as it is now.
    func page(_ folder: String) -> Answer { page(folder, state.read { $0 }) }

    private func isFolder(_ path: String, _ state: State) -> Bool {
        state.folders.contains(path) || state.files.keys.contains { $0.hasPrefix(path) }
    }

    private func page(_ folder: String, _ state: State) -> Answer {
        var names: Set<String> = []
        for path in Array(state.files.keys) + state.folders where path.hasPrefix(folder) && path != folder {
            let rest = path.dropFirst(folder.count)
            let name = rest.firstIndex(of: "/").map { String(rest[...$0]) } ?? String(rest)
            if !state.hidden.contains(folder + name) { names.insert(name) }
        }
        let sorted = names.sorted()
        switch form {
        case .html: return .htmlPage(IndexPage.nginx(folder, sorted))
        case .links: return .htmlPage(IndexPage.links(sorted.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }))
        case .xml: return .text(xml(folder, sorted, state), contentType: "text/xml")
        }
    }

    private func xml(_ folder: String, _ names: [String], _ state: State) -> String {
        IndexPage.xml(
            names.map { name in
                guard let file = state.files[folder + name] else { return "<directory>\(name.dropLast())</directory>" }
                let time = IndexPage.isoTime(file.lastModified)
                return "<file mtime=\"\(time)\" size=\"\(file.body.length)\">\(name)</file>"
            })
    }
}

/// Index pages as servers write them.
enum IndexPage {
    static func nginx(_ folder: String, _ names: [String]) -> String {
        let rows = names.map {
            "<a href=\"\($0)\">\($0)</a>      01-Jan-2024 00:00      \($0.hasSuffix("/") ? "-" : "10")\n"
        }
        return """
            <html>\r
            <head><title>Index of \(folder)</title></head>\r
            <body>\r
            <h1>Index of \(folder)</h1><hr><pre><a href="../">../</a>\r
            \(rows.joined())</pre><hr></body>\r
            </html>\r

            """
    }

    static func links(_ names: [String]) -> String {
        let rows = names.map { "<li><a href=\"\($0)\">\($0)</a></li>\n" }
        return "<html><body><ul>\n<li><a href=\"../\">..</a></li>\n\(rows.joined())</ul></body></html>\n"
    }

    static let script = "<html><body><div id=\"app\"></div><script src=\"app.js\"></script></body></html>\n"

    static func xml(_ rows: [String]) -> String {
        "<?xml version=\"1.0\"?>\n<list>\n\(rows.joined(separator: "\n"))\n</list>\n"
    }

    /// An HTTP date as nginx writes it into XML.
    static func isoTime(_ date: String?) -> String {
        date.flatMap { MirrorCore.HTTPDate($0)?.isoText } ?? "2024-01-01T00:00:00Z"
    }

    /// A page of a bucket in version 2 of the protocol.
    static func bucket(keys: [String] = [], prefixes: [String] = [], prefix: String = "", next: String? = nil) -> String
    {
        let contents = keys.map {
            "<Contents><Key>\($0)</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified><Size>\(size($0))</Size></Contents>"
        }
        let common = prefixes.map { "<CommonPrefixes><Prefix>\($0)</Prefix></CommonPrefixes>" }
        let token = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name>\
            <Prefix>\(prefix)</Prefix><KeyCount>\(keys.count)</KeyCount><MaxKeys>1000</MaxKeys><Delimiter>/</Delimiter>\
            <IsTruncated>\(next != nil)</IsTruncated>\(token)\(contents.joined())\(common.joined())</ListBucketResult>
            """
    }

    private static func size(_ key: String) -> Int64 { ListedTree.body("/bucket/\(key)").length }

    /// What a WebDAV server says of a folder and what lies in it.
    static func multistatus(_ folder: String, files: [String: Int64], folders: [String] = []) -> Answer {
        func response(_ href: String, _ properties: String) -> String {
            "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
                + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
        }
        let collection = "<D:resourcetype><D:collection/></D:resourcetype>"
        let all =
            [response(folder, collection)]
            + files.sorted { $0.key < $1.key }.map {
                response(folder + $0.key, "<D:resourcetype/><D:getcontentlength>\($0.value)</D:getcontentlength>")
            } + folders.map { response("\(folder)\($0)/", collection) }
        let text =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\">\(all.joined())</D:multistatus>\n"
        return .text(text, contentType: "application/xml; charset=utf-8", status: 207)
    }
}

extension SyncFixture {
    /// A sync of indexes, or of other sources on the origin.
    func makeIndexSync(
        _ paths: [String], calls: SystemCalls = SystemCalls(), _ change: (inout SyncOptions) -> Void = { _ in }
    ) -> Sync {
        makeSync("", calls: calls) {
            $0.sources = paths.map { origin.url($0) }
            change(&$0)
        }
    }

    @discardableResult
    func syncIndex(_ paths: String..., change: (inout SyncOptions) -> Void = { _ in }) async throws -> Report {
        try await makeIndexSync(paths, change).run()
    }

    /// Whether a file has the bytes that a listed tree has at a path.
    func holds(_ name: String, of path: String) -> Bool { holds(name, ListedTree.body(path)) }
}

extension Report {
    var paths: [String] { files.map(\.path) }

    func file(_ path: String) -> FileReport? { files.first { $0.path == path } }
}
