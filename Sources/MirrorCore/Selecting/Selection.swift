// Which entries of a source are wanted. Judged by path alone where that is enough, so that a folder nobody wants is not
// read; sizes and times are judged when they are known.

/// What the user wants of a source.
public struct Selection: Sendable, Equatable {
    /// One rule; the first one that matches a path decides.
    public enum Rule: Sendable, Equatable {
        case include(GlobPattern)
        case exclude(GlobPattern)

        fileprivate var pattern: GlobPattern {
            switch self {
            case .include(let pattern), .exclude(let pattern): pattern
            }
        }

        fileprivate var includes: Bool {
            switch self {
            case .include: true
            case .exclude: false
            }
        }
    }

    /// One of several stable parts of the entries.
    public struct Shard: Sendable, Equatable {
        /// From 0.
        public let index: Int
        /// 1 or more.
        public let count: Int

        /// Nil where there is no such part.
        public init?(_ index: Int, of count: Int) {
            guard count > 0, (0..<count).contains(index) else { return nil }
            self.index = index
            self.count = count
        }
    }

    /// In order. A path that none matches is wanted.
    public var rules: [Rule] = []
    /// Bytes.
    public var minimumSize: Int64?
    /// Bytes.
    public var maximumSize: Int64?
    /// Seconds since 1970: what is not newer is not wanted.
    public var newerThan: Int64?
    /// The part that this run takes; nil for all.
    public var shard: Shard?

    /// Everything.
    public init() {}

    /// Whether sizes or times decide, so that they must be known.
    package var needsFacts: Bool { minimumSize != nil || maximumSize != nil || newerThan != nil }

    /// Whether a file is wanted, as far as its path says.
    package func wants(path: String) -> Bool {
        rules.first { $0.pattern.matches(path) }?.includes ?? true
    }

    /// Whether anything below a folder may be wanted.
    package func mayWant(below folder: String) -> Bool {
        for rule in rules {
            // What an earlier rule includes may lie anywhere.
            if rule.includes { return true }
            if rule.pattern.matches(folder: folder) { return false }
        }
        return true
    }

    /// Whether a file is in the part that this run takes. The same path is always in the same part, whatever else the
    /// source names.
    package func takes(path: String) -> Bool {
        guard let shard else { return true }
        // FNV-1a with 64 bits: the same on every machine.
        let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        // Its low bits alone are poor: paths that differ in their last byte would follow each other.
        let mixed = (hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15
        return Int((mixed >> 32) % UInt64(shard.count)) == shard.index
    }

    /// Whether a file of that size and time is wanted; what is not known speaks for it.
    package func wants(size: Int64?, modified: Int64?) -> Bool {
        if let size, let minimumSize, size < minimumSize { return false }
        if let size, let maximumSize, size > maximumSize { return false }
        if let modified, let newerThan, modified <= newerThan { return false }
        return true
    }
}
