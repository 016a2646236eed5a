// What the disk and mirror's own record say of one entry, read before anything is decided.

/// A file under its final name.
package struct LocalFile: Sendable, Equatable {
    /// Bytes.
    package var size: Int64
    /// Modification time, in nanoseconds since 1970.
    package var modified: Int64

    package init(size: Int64, modified: Int64) {
        self.size = size
        self.modified = modified
    }

    /// Nanoseconds since 1970 for the years 1678 to 2262, and the nearest end beyond.
    package static func nanoseconds(seconds: Int64, fraction: Int64 = 0) -> Int64 {
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowAgain) = nanoseconds.addingReportingOverflow(fraction)
        guard overflow || overflowAgain else { return sum }
        return seconds < 0 ? Int64.min : Int64.max
    }

    /// Modification time in whole seconds since 1970, rounded down.
    package var modifiedSeconds: Int64 {
        modified / 1_000_000_000 - (modified % 1_000_000_000 < 0 ? 1 : 0)
    }
}

/// What mirror wrote down when it completed a file.
package struct FileRecord: Sendable, Equatable {
    /// The URL it came from, without secrets.
    package var url: String
    /// Bytes on disk.
    package var size: Int64
    /// Modification time that the file was left with, in nanoseconds since 1970.
    package var modified: Int64
    package var validators: Validators
    /// The media type of the answer, small letters.
    package var mediaType: String?
    /// Whether the body came with a content coding, so that no length from a HEAD can be compared with its size.
    package var isEncoded: Bool
    /// The declared checksum that the file was proved by.
    package var checksum: Checksum?

    package init(
        url: String, size: Int64, modified: Int64, validators: Validators, mediaType: String? = nil,
        isEncoded: Bool = false, checksum: Checksum? = nil
    ) {
        self.url = url
        self.size = size
        self.modified = modified
        self.validators = validators
        self.mediaType = mediaType
        self.isEncoded = isEncoded
        self.checksum = checksum
    }

    /// Whether it speaks of the file that is there now. When somebody changed the file, the record says nothing.
    package func describes(_ file: LocalFile) -> Bool { size == file.size && modified == file.modified }
}

/// What mirror wrote down of a partial file: only bytes that were on disk before it was written.
package struct PartialRecord: Sendable, Equatable {
    /// The URL the bytes came from, without secrets.
    package var url: String
    package var generation: Generation
    package var ranges: RangeSet

    package init(url: String, generation: Generation, ranges: RangeSet) {
        self.url = url
        self.generation = generation
        self.ranges = ranges
    }
}

/// All that is known of one entry without asking a server.
package struct LocalFacts: Sendable {
    package var file: LocalFile?
    package var record: FileRecord?
    package var partial: PartialRecord?
    /// The local file's checksum in the type that is asked for, where the user wants checksums compared.
    package var checksum: Checksum?
    /// Why the path cannot be used at all.
    package var failure: Failure?

    package init(
        file: LocalFile? = nil, record: FileRecord? = nil, partial: PartialRecord? = nil, checksum: Checksum? = nil,
        failure: Failure? = nil
    ) {
        self.file = file
        self.record = record
        self.partial = partial
        self.checksum = checksum
        self.failure = failure
    }

    /// The record, when it speaks of the file that is there.
    package var validRecord: FileRecord? {
        guard let file, let record, record.describes(file) else { return nil }
        return record
    }
}
