// A file as a well-behaved server has it, with the faults it shows. A value: to change the remote file, serve another.

/// A representation at some path of the origin.
package struct Resource: Sendable {
    /// The bytes of the representation.
    package var body: Body
    /// With quotes, as on the wire; `W/"..."` is a weak tag.
    package var etag: String?
    /// An HTTP date, or anything else that Last-Modified shall say.
    package var lastModified: String?
    /// The Content-Type header, nil for none.
    package var contentType: String?
    /// More headers, after the others. A Date here replaces the current time.
    package var headers: Headers
    /// The Accept-Ranges header, nil for none. It promises only; `faults.range` decides what happens.
    package var acceptRanges: String?
    /// What it does wrong.
    package var faults: Faults
    /// The faults show in the first so many requests of each method; then the resource is healthy.
    package var faultyRequests = Int.max

    /// A healthy resource, unless `faults` says otherwise.
    package init(
        body: Body, etag: String? = nil, lastModified: String? = nil,
        contentType: String? = "application/octet-stream", headers: Headers = [:],
        acceptRanges: String? = "bytes", faults: Faults = Faults(), faultyRequests: Int = .max
    ) {
        self.body = body
        self.etag = etag
        self.lastModified = lastModified
        self.contentType = contentType
        self.headers = headers
        self.acceptRanges = acceptRanges
        self.faults = faults
        self.faultyRequests = faultyRequests
    }

    /// The answer of a server that holds this resource: 200, 206, 304, 412 or 416 by RFC 9110 sections 13 and 14, and 405
    /// to anything but GET and HEAD; then bent by the faults.
    package func answer(to request: Request) -> Answer {
        ResourceAnswer(self, to: request).answer
    }
}
