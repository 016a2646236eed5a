// The keys of one page of a bucket listing, kept as they were read until the page has said how they are written: some
// servers name prefix and encoding behind the keys.

import MirrorCore
import MirrorURL

/// Keys and common prefixes in document order.
struct BucketKeys {
    private struct Record {
        var start: Int
        var length: Int32
        var isPrefix: Bool
        /// A key of Azure that says by itself that it is percent-encoded.
        var isEncoded: Bool
        var listed: ListedFacts
    }

    private var bytes: [UInt8] = []
    private var records: [Record] = []

    mutating func add(_ key: [UInt8], isPrefix: Bool, isEncoded: Bool = false, listed: ListedFacts = ListedFacts()) {
        records.append(
            Record(
                start: bytes.count, length: Int32(clamping: key.count), isPrefix: isPrefix, isEncoded: isEncoded,
                listed: listed))
        bytes += key
    }

    /// How the page writes a plus, if it says that its keys are encoded.
    var plusReading: PlusReading { PlusReading(of: bytes) }

    /// The greatest key or common prefix, by bytes, which is the order of all listings.
    func last(decoding: (ArraySlice<UInt8>) -> [UInt8]) -> [UInt8]? {
        let lastKey = records.last { !$0.isPrefix }, lastPrefix = records.last { $0.isPrefix }
        return [lastKey, lastPrefix].compactMap { $0 }.map { decoding(slice(of: $0)) }
            .max { $0.lexicographicallyPrecedes($1) }
    }

    private func slice(of record: Record) -> ArraySlice<UInt8> {
        bytes[record.start..<record.start + Int(record.length)]
    }

    /// Puts the keys into a listing.
    /// - Parameters:
    ///   - prefix: what the page lists, decoded; paths start behind its last slash.
    ///   - reading: how keys are encoded that do not say it themselves; nil where they are not.
    func enter(_ draft: inout ListingDraft, page: Address, prefix: [UInt8], reading: PlusReading?) {
        let names = NameResolver(page: page, isRoot: true)
        let cut = (prefix.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        draft.listing.entries.reserveCapacity(records.count)
        bytes.withUnsafeBytes { raw in
            for record in records {
                let written = raw[record.start..<record.start + Int(record.length)]
                if record.isEncoded {
                    enter(written.percentDecoded(), nil, record, &draft, names, page, prefix, cut)
                } else if let reading {
                    let other = reading.decodeOtherwise(written)
                    enter(reading.decode(written), other, record, &draft, names, page, prefix, cut)
                } else {
                    enter(written, nil, record, &draft, names, page, prefix, cut)
                }
            }
        }
    }

    private func enter(
        _ key: [UInt8], _ other: [UInt8]?, _ record: Record, _ draft: inout ListingDraft, _ names: NameResolver,
        _ page: Address, _ prefix: [UInt8], _ cut: Int
    ) {
        key.withUnsafeBytes { enter($0[...], other, record, &draft, names, page, prefix, cut) }
    }

    /// - Parameter other: the key in another reading, where there is one.
    private func enter(
        _ key: Slice<UnsafeRawBufferPointer>, _ other: [UInt8]?, _ record: Record, _ draft: inout ListingDraft,
        _ names: NameResolver, _ page: Address, _ prefix: [UInt8], _ cut: Int
    ) {
        guard key.starts(with: prefix) else {
            return draft.doubt("the server lists a key that does not start with the prefix asked for")
        }
        let name = key.dropFirst(cut)
        if record.isPrefix {
            enterPrefix(key, name, &draft, names, page)
            // A prefix that no key has is an empty folder to the server: only one of the two lists anything.
            other?.withUnsafeBytes { enterPrefix($0[...], name, &draft, names, page) }
            return
        }
        if key.last == UInt8(ascii: "/") || key.isEmpty {
            // An empty object with a slash at its end stands for a folder; no file can have such a name.
            if record.listed.size == 0 { return }
            return draft.add(
                names.address(of: key),
                path: .failure(Failure(.unsafePath, "the key ends in a slash, as a folder does")), name: Array(name)
            )
        }
        let address = names.address(of: key)
        do throws(Failure) {
            let path = try NameResolver.path(of: name)
            if let other {
                let options = other.withUnsafeBytes { EntryOptions(otherReading: names.address(of: $0[...])) }
                draft.add(address, path: .success(path), listed: record.listed, options: options)
            } else {
                draft.add(address, at: path, listed: record.listed)
            }
        } catch {
            draft.add(address, path: .failure(error), name: Array(name))
        }
    }

    /// A common prefix is listed by the page's own URL with that prefix.
    private func enterPrefix(
        _ key: Slice<UnsafeRawBufferPointer>, _ name: Slice<UnsafeRawBufferPointer>, _ draft: inout ListingDraft,
        _ names: NameResolver, _ page: Address
    ) {
        let starts = (BucketPaging.starts + ["start-after"]).map { (name: $0, value: [UInt8]?.none) }
        let folder = page.settingQuery(starts + [("prefix", Array(key))])
        guard folder != page else {
            return draft.doubt("the server lists a folder inside of itself")
        }
        // Where the delimiter is not a slash, a common prefix need not be a folder.
        guard let slash = name.lastIndex(of: UInt8(ascii: "/")) else {
            return draft.addPart(ListedPart(address: folder))
        }
        do throws(Failure) {
            draft.addFolder(folder, path: .success(try NameResolver.path(of: name[..<slash])))
        } catch {
            draft.add(names.address(of: key), path: .failure(error), name: Array(name))
        }
    }
}
