// One option: how it is written, what it means, what it changes. Parser and help are made from these alone.

/// A row of the table of options.
struct OptionDescription: Sendable {
    /// Where the option stands in the help.
    enum Group: String, Sendable, CaseIterable {
        case source = "What to mirror, and where to"
        case names = "Names"
        case selection = "Which entries"
        case decisions = "Decisions"
        case removal = "Files that SOURCE no longer names"
        case transfers = "Transfers"
        case credentials = "Requests and credentials"
        case connections = "Connections"
        case output = "Output"
    }

    typealias Change = @Sendable (_ settings: inout Settings, _ value: String) throws(ValueProblem) -> Void
    typealias Field<Value> = any WritableKeyPath<Settings, Value> & Sendable

    let group: Group
    /// Without the dashes.
    let name: String
    /// One ASCII letter or digit.
    let letter: Character?
    /// Stands for the value in the help; nil for a flag.
    let placeholder: String?
    /// One line, without the default.
    let help: String
    /// What holds without the option, where that is worth a word.
    let standard: String?
    /// Whether its value is never shown.
    let isSecret: Bool
    private let change: Change

    var takesValue: Bool { placeholder != nil }

    /// An option with a value; the last one that is given holds.
    static func value<Value>(
        _ group: Group, _ name: String, short letter: Character? = nil, _ placeholder: String, _ help: String,
        standard: String? = nil, isSecret: Bool = false, _ path: Field<Value>, _ reader: OptionReader<Value>
    ) -> OptionDescription {
        OptionDescription(
            group: group, name: name, letter: letter, placeholder: placeholder, help: help, standard: standard,
            isSecret: isSecret
        ) { (settings, text) throws(ValueProblem) in settings[keyPath: path] = try reader.read(text) }
    }

    /// The same for a setting that may be absent.
    static func value<Value>(
        _ group: Group, _ name: String, short letter: Character? = nil, _ placeholder: String, _ help: String,
        standard: String? = nil, isSecret: Bool = false, _ path: Field<Value?>, _ reader: OptionReader<Value>
    ) -> OptionDescription {
        let reader = OptionReader<Value?> { (text) throws(ValueProblem) in try reader.read(text) }
        return value(
            group, name, short: letter, placeholder, help, standard: standard, isSecret: isSecret, path, reader)
    }

    /// An option that may be given more than once.
    static func list<Value>(
        _ group: Group, _ name: String, short letter: Character? = nil, _ placeholder: String, _ help: String,
        isSecret: Bool = false, _ path: Field<[Value]>, _ reader: OptionReader<Value>
    ) -> OptionDescription {
        OptionDescription(
            group: group, name: name, letter: letter, placeholder: placeholder, help: help + " (repeatable)",
            standard: nil, isSecret: isSecret
        ) { (settings, text) throws(ValueProblem) in settings[keyPath: path].append(try reader.read(text)) }
    }

    /// An option without a value, and what it sets a setting to.
    static func flag<Value: Sendable>(
        _ group: Group, _ name: String, short letter: Character? = nil, _ help: String, _ path: Field<Value>,
        _ value: Value
    ) -> OptionDescription {
        OptionDescription(
            group: group, name: name, letter: letter, placeholder: nil, help: help, standard: nil, isSecret: false
        ) { settings, _ in settings[keyPath: path] = value }
    }

    /// - Parameter value: empty for a flag.
    func apply(_ value: String, to settings: inout Settings) throws(UsageError) {
        do throws(ValueProblem) {
            try change(&settings, value)
        } catch {
            throw .badValue(option: name, value: isSecret ? nil : value, error)
        }
    }
}
