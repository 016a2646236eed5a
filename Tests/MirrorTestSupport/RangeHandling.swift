// What a resource does with a Range header. All but the first are seen in public servers and caches.

/// The answer to a request with a range that the resource could satisfy.
package enum RangeHandling: Sendable {
    case honour
    /// 200 with the whole body.
    case ignore
    /// 206 with the whole body, and a Content-Range that says so.
    case fromZero
    /// 206 that begins so many bytes before the offset asked for, and says so.
    case earlyStart(by: Int64)
    /// 206 with at most so many bytes, and a Content-Range that says so.
    case short(maxBytes: Int64)
    /// 206 without Content-Range, with the slice or with the whole body.
    case noContentRange(wholeBody: Bool)
    /// The slice and its Content-Range, under status 200.
    case sliceWith200
    /// 206 with that total in Content-Range.
    case wrongTotal(Int64)
    /// 206 with `*` for the total.
    case unknownTotal
    /// 206 with that text for Content-Range.
    case contentRange(String)
    /// 206 as multipart/byteranges, for a single range too.
    case multipart
    /// 206 with bytes beyond the range, which Content-Length counts or not.
    case excess(bytes: Int64, counted: Bool)
    /// 416, though the range is fine.
    case notSatisfiable
    /// 412, though no condition failed.
    case preconditionFailed
    /// That answer, for example an HTML page with 200 or 503.
    case answer(Answer)
}
