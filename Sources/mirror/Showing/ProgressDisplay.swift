// Where progress is shown: rewritten in place on a terminal, a line each elsewhere, or not at all. It decides no words.

import Glibc
import MirrorKit

/// A line that stands for the present.
struct ProgressDisplay {
    private enum Place { case nowhere, lines, terminal }

    private let place: Place
    /// Columns that the line on the terminal covers now.
    private var shownColumns = 0

    /// - Parameter isTerminal: whether standard error is one.
    init(_ settings: Settings, isTerminal: Bool) {
        switch settings.progress {
        case .plain?: place = .lines
        case Settings.ProgressMode.none?: place = .nowhere
        case nil: place = isTerminal && settings.wording != .quiet ? .terminal : .nowhere
        }
    }

    /// Whether there is anything to show once a second.
    var isShown: Bool { place != .nowhere }

    /// - Parameters:
    ///   - columns: the width of the terminal.
    ///   - isForeground: a terminal that another job is using is left alone.
    /// - Returns: what is to be written.
    mutating func show(_ line: String, columns: Int, isForeground: Bool) -> String {
        switch place {
        case .nowhere: return ""
        case .lines: return line + "\n"
        case .terminal:
            guard isForeground else { return "" }
            // A line that wraps cannot be rewritten; the last column makes some terminals wrap.
            let text = String(line.prefix(max(columns - 1, 1)))
            let blanks = max(shownColumns - text.count, 0)
            shownColumns = text.count
            return "\r" + text + String(repeating: " ", count: blanks) + String(repeating: "\u{8}", count: blanks)
        }
    }

    /// Makes room for other lines.
    /// - Returns: what is to be written.
    mutating func clear() -> String {
        guard shownColumns > 0 else { return "" }
        defer { shownColumns = 0 }
        return "\r" + String(repeating: " ", count: shownColumns) + "\r"
    }
}
