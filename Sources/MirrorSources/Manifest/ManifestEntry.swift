// The entry of a manifest while its lines are read: URLs first, then options. It becomes an Entry when the next one
// starts.

import MirrorCore
import MirrorURL

/// An entry under construction.
struct ManifestEntry {
    /// Options that only say that the path is the source's own; most entries with options have these.
    private static let pathOnly = EntryOptions(namesPath: true)

    /// How many header fields an entry may have: servers refuse more (Apache's LimitRequestFields is 100).
    private static let mostFields = 100

    let line: Int
    var addresses: [Address] = []
    /// Whether something about it was wrong, so that it becomes no entry.
    var isBroken = false

    private var seen: Set<ManifestOption> = []
    private var out: LocalPath?
    private var folder: LocalPath?
    private var checksum: Checksum?
    private var size: Int64?
    private var fields: [HeaderField] = []
    private var referer: String?
    private var userAgent: String?
    private var split: Int?
    private var etag: EntityTag?
    private var lastModified: String?

    init(line: Int) {
        self.line = line
    }

    mutating func take(_ option: ManifestOption, _ value: String) throws(OptionProblem) {
        if option != .dir, addresses.first?.isIndex == true {
            throw OptionProblem("the option \(option.rawValue) is for files; an index takes dir alone")
        }
        if !seen.insert(option).inserted, !option.isRepeatable {
            throw OptionProblem("the entry has the option \(option.rawValue) already")
        }
        if value.isEmpty { throw OptionProblem("the option \(option.rawValue) has no value") }
        switch option {
        case .out: out = try OptionValue.path(value)
        case .dir: folder = try OptionValue.folder(value)
        case .checksum: checksum = try OptionValue.checksum(value)
        case .size: size = try OptionValue.size(value)
        case .header:
            guard fields.count < Self.mostFields else {
                throw OptionProblem("the entry has more than \(Self.mostFields) header fields")
            }
            fields.append(try OptionValue.field(value))
        case .referer: referer = try OptionValue.fieldValue(value)
        case .userAgent: userAgent = try OptionValue.fieldValue(value)
        case .split: split = try OptionValue.split(value)
        case .etag: etag = try OptionValue.entityTag(value)
        case .lastModified: lastModified = try OptionValue.date(value)
        }
    }

    /// The entry; nil where it is broken.
    func entry(layout: Layout, source: Int) throws(Failure) -> Entry? {
        guard !isBroken, let address = addresses.first else { return nil }
        return Entry(
            address: address, alternates: addresses.count > 1 ? Array(addresses.dropFirst()) : [],
            path: try path(of: address, layout), place: SourcePlace(source: source, line: line), options: options)
    }

    private func path(of address: Address, _ layout: Layout) throws(Failure) -> LocalPath? {
        if let out { return try LocalName.path(out, below: folder) }
        return try LocalName.path(for: address, layout: layout, below: folder)
    }

    private var options: EntryOptions? {
        if seen.isEmpty { return nil }
        if seen == [.out] { return Self.pathOnly }
        return EntryOptions(
            checksum: checksum, size: size, fields: fields, referer: referer, userAgent: userAgent, split: split,
            validators: Validators(etag: etag, lastModified: lastModified), folder: folder, namesPath: out != nil)
    }
}
