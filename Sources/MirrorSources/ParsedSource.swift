// What came out of reading one source. Where there are problems, the source is refused whole.

import MirrorCore

/// The entries of one source, and what is wrong with it.
package struct ParsedSource: Sendable {
    /// How many problems are kept: nobody reads more, and a file that is no source has millions.
    package static let problemLimit = 10_000

    package var entries: [Entry] = []
    package var problems: [SourceProblem] = []
    package var warnings: [SourceWarning] = []

    package init() {}

    init(problem: String, source: Int) {
        problems = [SourceProblem(place: SourcePlace(source: source), message: problem)]
    }

    /// Whether so much is wrong that reading on tells nothing.
    var isHopeless: Bool { problems.count >= Self.problemLimit }
}
