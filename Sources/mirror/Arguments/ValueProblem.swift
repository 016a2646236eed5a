// What is wrong with the value of an option. The value itself stands beside it, where it may be shown.

/// Why a value cannot be used.
enum ValueProblem: Error, Equatable {
    case empty
    /// Not a whole number, or one outside of the range.
    case notCount(ClosedRange<Int>)
    /// Not a size of at least so many bytes.
    case notSize(atLeast: Int64)
    /// Not a time, or one outside of what makes sense; zero may be among that.
    case notTime(mayBeZero: Bool)
    case notOneOf([String])
    case notHeader
    /// Not a pattern, and why.
    case notPattern(String)
    case notShard
    case notLimit
    case notMoment
    /// A header field of this name, which mirror sets itself.
    case reservedHeader(String)
    /// No form of a report has this ending.
    case noReportForm
}
