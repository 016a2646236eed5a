// What the user said of one sync, as a value: the library's options, and how much is shown.

import MirrorKit

/// The settings of `mirror sync`.
struct Settings: Sendable {
    /// How much the user wants to read.
    enum Wording: Sendable { case quiet, normal, verbose }

    /// How progress is shown.
    enum ProgressMode: String, Sendable, CaseIterable {
        /// One line a second, wherever standard error goes.
        case plain
        case none
    }

    var sync = SyncOptions(sources: [])
    var wording = Wording.normal
    /// Whether `--delete` is given; what limits it may stand alone.
    var removes = false
    var removal = RemovalPolicy()
    /// nil shows a line on a terminal and nothing elsewhere.
    var progress: ProgressMode?
}
