// What is wrong in a source, with the place where it is. The sentences hold no secrets.

/// A fault of a source for which nothing is fetched.
package struct SourceProblem: Error, Sendable, Equatable {
    package var place: SourcePlace
    /// From 1, in bytes; 0 where the whole line or file is meant.
    package var column: Int
    /// One sentence without place and final stop.
    package var message: String

    package init(place: SourcePlace, column: Int = 0, message: String) {
        self.place = place
        self.column = column
        self.message = message
    }
}

/// Something in a source that is passed over and does no harm.
package struct SourceWarning: Sendable, Equatable {
    package var place: SourcePlace
    /// From 1, in bytes; 0 where the whole line or file is meant.
    package var column: Int
    /// One sentence without place and final stop.
    package var message: String

    package init(place: SourcePlace, column: Int = 0, message: String) {
        self.place = place
        self.column = column
        self.message = message
    }
}
