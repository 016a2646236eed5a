// How a bucket listing goes on: the address of the next page, in the version of the protocol that this page has.

import MirrorCore
import MirrorURL

/// What a page says of its own place in the listing.
struct BucketPaging {
    /// The parameters that say where a page starts. `start-after` is not one of them: it is part of the question, and a
    /// token wins over it.
    static let starts = ["continuation-token", "marker", "key-marker", "version-id-marker"]

    var isTruncated = false
    /// Of version 2.
    var token: [UInt8]?
    var isVersion2 = false
    /// Of version 1, Google and Azure, decoded.
    var nextMarker: [UInt8]?
    /// Of a listing of versions, decoded.
    var nextKeyMarker: [UInt8]?
    var nextVersionMarker: [UInt8]?
    /// What the page lists, decoded.
    var prefix: [UInt8] = []
    var delimiter: [UInt8] = []

    /// The address of the next page; nil where the page does not say how to go on.
    /// - Parameter lastKey: where version 1 goes on without a marker.
    func next(after page: Address, lastKey: [UInt8]?) -> Address? {
        if let token { return page.settingQuery(ask(page) + start("continuation-token", token)) }
        if let nextKeyMarker {
            let version = nextVersionMarker.map { [("version-id-marker", Optional($0))] } ?? []
            return page.settingQuery(ask(page) + start("key-marker", nextKeyMarker) + version)
        }
        // Version 2 knows no marker: it would begin again.
        guard !isVersion2, page.queryValue(of: "list-type") == nil, let marker = nextMarker ?? lastKey else {
            return nil
        }
        return page.settingQuery(ask(page) + start("marker", marker))
    }

    private func start(_ name: String, _ value: [UInt8]) -> [(name: String, value: [UInt8]?)] {
        Self.starts.filter { $0 != name }.map { ($0, nil) } + [(name, value)]
    }

    /// What a saved page knows of its question and its URL does not say.
    private func ask(_ page: Address) -> [(name: String, value: [UInt8]?)] {
        var changes: [(name: String, value: [UInt8]?)] = []
        if token != nil, page.queryValue(of: "list-type") == nil { changes.append(("list-type", [UInt8(ascii: "2")])) }
        if !prefix.isEmpty, page.queryValue(of: "prefix") == nil { changes.append(("prefix", prefix)) }
        if !delimiter.isEmpty, page.queryValue(of: "delimiter") == nil { changes.append(("delimiter", delimiter)) }
        return changes
    }
}
