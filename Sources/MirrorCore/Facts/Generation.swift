// A generation is one state of a remote file. All ranges of one file come from one generation, or the file would be
// a mix of two.

/// The size and the validators that a set of bytes belongs to.
package struct Generation: Sendable, Equatable {
    /// Bytes of the whole file.
    package var total: Int64
    package var validators: Validators

    package init(total: Int64, validators: Validators) {
        self.total = total
        self.validators = validators
    }

    /// Whether bytes of an answer with this total and these validators belong to the same state. The total is always
    /// compared, so that an answer without validators is not taken on faith alone.
    package func accepts(total: Int64, validators: Validators) -> Bool {
        total == self.total && self.validators.compare(with: validators) != .different
    }

    /// Whether an answer has none of the validators that this state is known by. Nothing but equal bytes tells then that
    /// it is of the same state.
    package func isSilent(_ validators: Validators) -> Bool {
        !self.validators.isEmpty && self.validators.compare(with: validators) == .unknown
    }
}
