// How local paths follow from URLs.

/// The local path of an entry that names none itself.
public enum Layout: String, Sendable, CaseIterable {
    /// The last segment of the URL's path.
    case name
    /// The whole path of the URL, folders included.
    case path
    /// The host, then the whole path.
    case host
}
