// The version, in one place.

/// Which mirror this is.
public enum MirrorVersion {
    /// Semantic version of command and library.
    public static let current = "0.1.0"
}
