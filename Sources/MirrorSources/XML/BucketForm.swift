// Listings of S3 and of all that speak like it, Google among them: ListObjects in both versions, and the newest of
// each key where versions are listed.

import MirrorCore
import MirrorURL

/// Reads `<ListBucketResult>` and `<ListVersionsResult>`.
final class BucketForm: XMLForm {
    private var draft: ListingDraft
    private let page: Address?
    private let isVersions: Bool
    private var keys = BucketKeys()
    private var paging = BucketPaging()
    private var isEncoded = false
    // As they are written, for the encoding may be named behind them.
    private var written: [(field: Field, text: [UInt8])] = []

    private var key: [UInt8]?
    private var size: Int64?
    private var modified: Int64?
    private var isLatest = true

    private enum Field { case prefix, delimiter, nextMarker, nextKeyMarker }

    init(_ context: DocumentContext, isVersions: Bool) {
        draft = ListingDraft(context)
        page = context.address
        self.isVersions = isVersions
        if page == nil { draft.fail(NamedFile.noBase) }
    }

    func start(_ element: XMLElement) {
        guard element.depth == 2 else { return }
        key = nil
        size = nil
        modified = nil
        isLatest = true
    }

    func end(_ name: XMLName, parent: XMLName?, depth: Int, text: [UInt8]) {
        guard let parent else { return }
        switch depth {
        case 3 where parent.is("Contents") || parent.is("Version"): endField(name, text)
        case 3 where parent.is("CommonPrefixes"):
            if name.is("Prefix") { keys.add(text, isPrefix: true) }
        case 2: endPageField(name, text)
        default: break
        }
    }

    private func endField(_ name: XMLName, _ text: [UInt8]) {
        if name.is("Key") {
            key = text
        } else if name.is("Size") {
            size = text.listedSize
        } else if name.is("LastModified") {
            modified = ListedTime.iso(text)
        } else if name.is("IsLatest") {
            isLatest = isTrue(text)
        }
    }

    private func endPageField(_ name: XMLName, _ text: [UInt8]) {
        if name.is("Contents") || name.is("Version") {
            guard isLatest else { return }
            guard let key, !key.isEmpty else { return draft.doubt("the server lists an object without a key") }
            keys.add(key, isPrefix: false, listed: ListedFacts(size: size, modified: modified))
        } else if name.is("IsTruncated") {
            paging.isTruncated = isTrue(text)
        } else if name.is("EncodingType") {
            isEncoded = text.elementsEqual("url".utf8)
        } else if name.is("NextContinuationToken") {
            if !text.isEmpty { paging.token = text }
        } else if name.is("KeyCount") {
            paging.isVersion2 = true
        } else if name.is("NextVersionIdMarker") {
            if !text.isEmpty { paging.nextVersionMarker = text }
        } else if let field = Self.field(name), !text.isEmpty {
            written.append((field, text))
        }
    }

    private static func field(_ name: XMLName) -> Field? {
        if name.is("Prefix") { return .prefix }
        if name.is("Delimiter") { return .delimiter }
        if name.is("NextMarker") { return .nextMarker }
        return name.is("NextKeyMarker") ? .nextKeyMarker : nil
    }

    private func isTrue(_ text: [UInt8]) -> Bool { text.trimmed.elementsEqual("true".utf8) }

    func listing() -> Listing {
        guard let page else { return draft.listing }
        let reading = isEncoded ? keys.plusReading : nil
        for (field, text) in written {
            let text = reading?.decode(text) ?? text
            switch field {
            case .prefix: paging.prefix = text
            case .delimiter: paging.delimiter = text
            case .nextMarker: paging.nextMarker = text
            case .nextKeyMarker: paging.nextKeyMarker = text
            }
        }
        keys.enter(&draft, page: page, prefix: paging.prefix, reading: reading)
        goOn(page, reading)
        return draft.listing
    }

    private func goOn(_ page: Address, _ reading: PlusReading?) {
        guard paging.isTruncated || paging.token != nil else { return }
        let last = isVersions ? nil : keys.last { reading?.decode($0) ?? Array($0) }
        guard let next = paging.next(after: page, lastKey: last) else {
            return draft.doubt("the server says that there is more and not how to ask for it")
        }
        guard next != page else { return draft.doubt("the server names this page as the next one") }
        draft.addPart(ListedPart(address: next))
    }
}
