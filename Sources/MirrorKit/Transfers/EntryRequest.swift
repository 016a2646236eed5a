// Requests for the file of one entry: what the source says of the entry, sent where the source meant it to go.

import MirrorCore
import MirrorTransport

extension Entry {
    /// A request to one of the entry's addresses. Header fields may be keys: those of the entry and those that the user
    /// gave, with the credentials, go to the origin of the first address alone, for an alternate may be anybody's server.
    func request(_ method: Request.Method, _ address: Address) -> Request {
        let isFirstOrigin = address.origin == self.address.origin
        return Request(
            method, address, fields: isFirstOrigin ? options?.fields ?? [] : [],
            referer: isFirstOrigin ? options?.referer : nil, userAgent: options?.userAgent,
            isTrusted: isFirstOrigin)
    }
}
