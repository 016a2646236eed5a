// An entry is one file that the source names: where it can be had and what the source promises of it.

/// One file of the source.
package struct Entry: Sendable {
    /// The URL that is tried first.
    package var address: Address
    /// Other URLs of the same file, in the order in which they are tried.
    package var alternates: [Address]
    /// The path below DIR; nil until the server has named the file.
    package var path: LocalPath?
    /// Which source named it, and the line there.
    package var place: SourcePlace
    /// What an index says of its size and time.
    package var listed: ListedFacts
    /// What the source says beyond the URL; nil for most entries, so that a million of them stay small.
    package var options: EntryOptions?

    package init(
        address: Address, alternates: [Address] = [], path: LocalPath? = nil, place: SourcePlace = SourcePlace(),
        listed: ListedFacts = ListedFacts(), options: EntryOptions? = nil
    ) {
        self.address = address
        self.alternates = alternates
        self.path = path
        self.place = place
        self.listed = listed
        self.options = options
    }

    /// Every URL of the file, the first one first, the other reading of its name last.
    package var addresses: [Address] { [address] + alternates + (options?.otherReading.map { [$0] } ?? []) }

    /// Whether a URL may be asked for after the one before it failed. What stands for the same text in another reading is
    /// another file's name where there is a file of the first one.
    package func mayAsk(_ address: Address, after failure: Failure?) -> Bool {
        failure == nil || address != options?.otherReading || failure?.code == .notFound
    }
}

/// A place in a source, for messages.
package struct SourcePlace: Sendable, Hashable {
    /// Which of the given sources, from 0.
    package var source: Int32
    /// From 1; 0 where the source has no lines.
    package var line: Int32

    package init(source: Int = 0, line: Int = 0) {
        self.source = Int32(clamping: source)
        self.line = Int32(clamping: line)
    }
}

/// The options of a manifest entry that the transfer needs.
package final class EntryOptions: Sendable {
    package let checksum: Checksum?
    /// Bytes.
    package let size: Int64?
    package let fields: [HeaderField]
    package let referer: String?
    package let userAgent: String?
    /// Ranges at once, in place of `--split`.
    package let split: Int?
    /// What the source promises of the remote file: an answer that differs is not taken for it.
    package let validators: Validators
    /// The folder below DIR that a file goes to which the server names.
    package let folder: LocalPath?
    /// Whether the source itself names the path, so that no suggestion of the server counts.
    package let namesPath: Bool
    /// Why this entry is not carried out while others are: an index may name what is not safe.
    package let refusal: Failure?
    /// What a refused entry is called in the report, as it has no path.
    package let refusedName: String?
    /// Checksums of the file's pieces: they prove a file that has no checksum of its own, and tell where one is damaged.
    package let pieces: PieceSums?
    /// Where the listing writes the name such that it can be read in two ways: its URL in the second one.
    package let otherReading: Address?

    package init(
        checksum: Checksum? = nil, size: Int64? = nil, fields: [HeaderField] = [], referer: String? = nil,
        userAgent: String? = nil, split: Int? = nil, validators: Validators = Validators(), folder: LocalPath? = nil,
        namesPath: Bool = false, refusal: Failure? = nil, refusedName: String? = nil, pieces: PieceSums? = nil,
        otherReading: Address? = nil
    ) {
        self.checksum = checksum
        self.size = size
        self.fields = fields
        self.referer = referer
        self.userAgent = userAgent
        self.split = split
        self.validators = validators
        self.folder = folder
        self.namesPath = namesPath
        self.refusal = refusal
        self.refusedName = refusedName
        self.pieces = pieces
        self.otherReading = otherReading
    }

    /// Whether both ask for the same transfer with the same result.
    package func says(sameAs other: EntryOptions) -> Bool {
        checksum == other.checksum && size == other.size && fields == other.fields && referer == other.referer
            && userAgent == other.userAgent && split == other.split && validators == other.validators
            && folder == other.folder && pieces == other.pieces
    }
}
