// Why something did not work: a code of the contract and a sentence a user understands. Here are the sentences that
// several rooms say; those of one room are made there. Path and URL stand beside the failure in the report.

/// The error codes of the report.
public enum FailureCode: String, Sendable, CaseIterable {
    case notFound = "not-found"
    case forbidden, unauthorized, http, resolve, connect, tls, timeout, truncated, changed, range
    case sizeMismatch = "size-mismatch"
    case checksum
    case unsafePath = "unsafe-path"
    case conflict
    case nameTooLong = "name-too-long"
    case diskFull = "disk-full"
    case permission, io
    case tooManyRedirects = "too-many-redirects"
    case unexpectedType = "unexpected-type"
    case unsupported
    case invalidSource = "invalid-source"
}

/// One failure, as a value.
public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Its kind.
    public let code: FailureCode
    /// One sentence without path, URL and final stop.
    public let message: String
    /// Whether the same request may work later.
    package let isTransient: Bool
    /// Whether the whole run cannot go on: DIR itself is full or cannot be used.
    package private(set) var endsRun: Bool
    /// Seconds that the server asked to wait, not yet judged.
    package var retryAfter: String?
    /// The HTTP status that said so.
    package var status: Int?
    /// Whether it came of too many requests at once, as far as one can tell: no fault of the file then, and not counted
    /// among its failures.
    package private(set) var isOfCrowd = false
    /// Whether the same request may work later, should the crowd be no reason.
    package private(set) var isTransientAlone: Bool

    package init(
        _ code: FailureCode, _ message: String, isTransient: Bool = false, status: Int? = nil, endsRun: Bool = false
    ) {
        self.code = code
        self.message = message
        self.isTransient = isTransient
        isTransientAlone = isTransient
        self.endsRun = endsRun || code == .diskFull
        self.status = status
    }

    /// The same, where others were served at the same time.
    package var ofCrowd: Failure {
        var failure = Failure(code, message, isTransient: true, status: status)
        failure.retryAfter = retryAfter
        failure.isOfCrowd = true
        failure.isTransientAlone = isTransientAlone
        return failure
    }

    /// The same, where the others may fare better.
    package var ofOneFile: Failure {
        var failure = self
        failure.endsRun = false
        return failure
    }

    /// Code and sentence.
    public var description: String { "\(code.rawValue): \(message)" }

    /// Whether the server has answered, and not with the file.
    package var isRefusal: Bool { status != nil || code == .unexpectedType }

    /// Whether less at once may help: the system has no descriptor left.
    package var isShortage: Bool { code == .io && isTransient }
    /// Whether it happened on the way to the answer, so that another request may fare better.
    package var isOfTheWay: Bool { [.connect, .timeout, .truncated, .http, .tooManyRedirects, .tls].contains(code) }
}

extension Failure {
    /// The failure that an HTTP status of 400 and above, or an unusable one, stands for.
    package static func status(_ status: Int) -> Failure {
        switch status {
        case 401: Failure(.unauthorized, "the server asks for a user name and a password (401)", status: 401)
        case 403: Failure(.forbidden, "the server refuses access (403)", status: 403)
        case 404: Failure(.notFound, "the server does not have it (404)", status: 404)
        case 407: Failure(.unauthorized, "the proxy asks for a user name and a password (407)", status: 407)
        case 410: Failure(.notFound, "the server says that it is gone for good (410)", status: 410)
        case 408, 500, 502, 503, 504:
            Failure(.http, "the server answered \(status)", isTransient: true, status: status)
        case 429: Failure(.http, "the server asks for fewer requests (429)", isTransient: true, status: 429)
        default: Failure(.http, "the server answered \(status)", status: status)
        }
    }

    /// The answer of a proxy that was asked for a connection to the server.
    package static func tunnel(_ status: Int) -> Failure {
        switch status {
        case 407: .status(407)
        case 408, 429, 500...: Failure(.connect, "the proxy cannot reach the server (\(status))", isTransient: true)
        default: Failure(.connect, "the proxy refuses to connect to the server (\(status))")
        }
    }

    package static func stalled(after time: Duration) -> Failure {
        let seconds = time / .seconds(1)
        let text = seconds == seconds.rounded() ? "\(time.components.seconds)" : "\(seconds)"
        return Failure(.timeout, "no byte came for \(text) s", isTransient: true)
    }

    /// - Parameter cause: how the last attempt ended.
    package static func stuck(at offset: Int64, _ cause: Failure) -> Failure {
        Failure(cause.code, "every attempt ends after \(offset) bytes: \(cause.message)", status: cause.status)
    }

    package static func truncated(received: Int64, expected: Int64?) -> Failure {
        guard let expected else {
            return Failure(.truncated, "the answer ended early, after \(received) bytes", isTransient: true)
        }
        return Failure(.truncated, "the answer ended after \(received) of \(expected) bytes", isTransient: true)
    }

    package static let changed = Failure(
        .changed, "the remote file keeps changing while it is fetched", isTransient: true)

    package static func promisedStateGone(_ what: String) -> Failure {
        Failure(.changed, "the server has another version than the source names: \(what) differs")
    }

    package static func range(_ detail: String) -> Failure {
        Failure(.range, "the server's answer to a range request cannot be used: \(detail)", isTransient: true)
    }

    /// - Parameter head: the answer, which may say that it is a cache's and how old it is.
    package static func size(declared: Int64, actual: Int64, _ head: ResponseHead? = nil) -> Failure {
        let cache = head?.cacheNote.map { "; the answer comes from a cache (\($0))" } ?? ""
        return Failure(.sizeMismatch, "the source says \(declared) bytes, the server has \(actual)\(cache)")
    }

    package static func lessThanClaimed(_ claimed: Int64, actual: Int64) -> Failure {
        Failure(.sizeMismatch, "the server said that it has \(claimed) bytes, and sends \(actual)")
    }

    package static let invalidLength = Failure(.http, "the server names no length that can be read, or several")

    package static func absurdSize(_ bytes: Int64) -> Failure {
        Failure(.http, "the server says that it has \(bytes) bytes, more than any file can have")
    }

    /// - Parameters:
    ///   - wrong: how many pieces differ from what the source lists, of how many.
    ///   - first: where the first one of them begins.
    package static func pieces(wrong: Int, of count: Int, first: Int64) -> Failure {
        Failure(.checksum, "\(wrong) of \(count) pieces are not what the source says, the first one at byte \(first)")
    }

    package static func checksum(declared: Checksum, actual: Checksum) -> Failure {
        Failure(.checksum, "\(declared.algorithm.rawValue) is \(actual.hex), the source says \(declared.hex)")
    }

    package static func unexpectedType(_ type: String) -> Failure {
        Failure(
            .unexpectedType, "the server sent a web page (\(type)) where a file was expected: a login or error page?")
    }

    package static func redirects(_ limit: Int) -> Failure {
        Failure(.tooManyRedirects, "more than \(limit) redirects")
    }

    package static func path(_ problem: LocalPath.Problem) -> Failure {
        switch problem {
        case .empty, .emptySegment: Failure(.unsafePath, "the path has an empty part")
        case .absolute: Failure(.unsafePath, "the path is absolute")
        case .dotSegment: Failure(.unsafePath, "the path has a part that is «.» or «..»")
        case .nul: Failure(.unsafePath, "the path has a NUL byte")
        case .reserved: Failure(.unsafePath, "the folder «\(LocalPath.reservedFolder)» is mirror's own")
        case .segmentTooLong(let bytes):
            Failure(.nameTooLong, "a name of \(bytes) bytes; at most \(LocalPath.longestSegment) are possible")
        case .tooLong(let bytes):
            Failure(.nameTooLong, "a path of \(bytes) bytes; at most \(LocalPath.longestPath) are possible")
        }
    }

    package static let leadsOutside = Failure(.unsafePath, "a symbolic link leads outside the directory")
    package static let isFolder = Failure(.conflict, "a folder is where the file should go")
    package static let parentIsFile = Failure(.conflict, "a file is where a folder should go")
    package static let notRegular = Failure(
        .conflict, "something that is not a regular file is where the file should go")

    package static func diskFull(needed: Int64, available: Int64) -> Failure {
        Failure(.diskFull, "\(needed) bytes are needed, \(max(available, 0)) are free")
    }
}
