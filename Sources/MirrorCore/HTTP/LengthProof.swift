// Bodies that come without a length: when one that has ended in good order is the whole file. The twin for bodies with a
// length is the doubt about one that is less than was claimed, in ResponseVerdict.

/// A body that ended as its framing wants it.
package struct UnboundedBody: Sendable, Equatable {
    /// Bytes that came.
    package var received: Int64
    /// What the source says.
    package var declared: Int64?
    /// What HEAD said, where it is of the same form as the body.
    package var claimed: Int64?
    /// The size of the file that it would replace.
    package var local: Int64?
    /// Whether the body was coded: then no length that anybody names is comparable.
    package var isEncoded: Bool
    /// Whether the end of the connection was its end.
    package var endsWithConnection: Bool
    /// Whether that was a TLS connection which ended without close_notify.
    package var wasCutOff: Bool
    /// How long the body before it was, if that ended in the same way.
    package var before: Int64?
    /// Whether HEAD was asked again just now.
    package var isClaimFresh: Bool

    package init(
        received: Int64, declared: Int64? = nil, claimed: Int64? = nil, local: Int64? = nil, isEncoded: Bool = false,
        endsWithConnection: Bool = false, wasCutOff: Bool = false, before: Int64? = nil, isClaimFresh: Bool = false
    ) {
        self.received = received
        self.declared = declared
        self.claimed = claimed
        self.local = local
        self.isEncoded = isEncoded
        self.endsWithConnection = endsWithConnection
        self.wasCutOff = wasCutOff
        self.before = before
        self.isClaimFresh = isClaimFresh
    }
}

/// What is known of a file's length, when nobody said how many bytes would come.
package enum LengthProof: Sendable, Equatable {
    case proved
    /// It is taken, and the report says why that is no certainty.
    case unproved(LengthDoubt)
    /// HEAD has to be asked before anything can be said.
    case mustAsk
    case refused(Failure)

    /// The end of a connection looks the same whether the file is at its end or not: a claim must agree with it. A
    /// chunked body says itself that it is whole (RFC 9112 section 7.1), and is believed against the claim of a HEAD;
    /// if that is more, only when it comes out the same twice, for a program behind a server that dies ends it in good
    /// order too. Even then it takes no larger file's place unless HEAD has come to agree.
    package static func of(_ body: UnboundedBody) -> LengthProof {
        if let declared = body.declared { return agreement(body, declared) }
        if body.endsWithConnection { return ofConnection(body) }
        guard !body.isEncoded, let claimed = body.claimed, body.received < claimed else { return .proved }
        if body.before != body.received, !body.isClaimFresh { return agreement(body, claimed) }
        guard let local = body.local, local > body.received else { return .unproved(.lessThanClaimed(claimed)) }
        return body.isClaimFresh ? .refused(.lessThanClaimed(claimed, actual: body.received)) : .mustAsk
    }

    private static func ofConnection(_ body: UnboundedBody) -> LengthProof {
        if body.isEncoded { return ofConnectionAlone(body) }
        if let claimed = body.claimed { return agreement(body, claimed) }
        return body.isClaimFresh ? ofConnectionAlone(body) : .mustAsk
    }

    /// Nobody says how long it is. Then the bare end of a TLS connection proves nothing: anybody on the way can make one
    /// (RFC 9112 section 9.8).
    private static func ofConnectionAlone(_ body: UnboundedBody) -> LengthProof {
        guard body.wasCutOff else { return .unproved(.endedWithConnection) }
        return .refused(
            Failure(
                .truncated,
                "the TLS connection was cut off after \(body.received) bytes, and nothing says that these are all",
                isTransient: true))
    }

    private static func agreement(_ body: UnboundedBody, _ expected: Int64) -> LengthProof {
        body.received == expected ? .proved : .refused(.truncated(received: body.received, expected: expected))
    }
}

/// Why the length of a file that was taken is not certain.
package enum LengthDoubt: Sendable, Equatable {
    /// Nothing but the end of the connection told that it is whole.
    case endedWithConnection
    /// It came out the same twice, and HEAD said that there is more.
    case lessThanClaimed(Int64)
}
