// One request in progress: what libcurl's callbacks write to. It lives on the loop's thread only.

import CCurl
import MirrorCore

/// A running request with its answer so far.
final class Transfer {
    let id: Int
    let request: Request
    let handle: EasyHandle
    private let receiver: any ResponseReceiver
    private let continuation: UnsafeContinuation<Completion, Never>
    private var parser = HeaderParser()
    private var bodyBytes: Int64 = 0
    private var body = Body.notBegun
    private var isHeadTooLarge = false
    private let isHTTP: Bool
    /// Told of every byte when the rate is limited.
    private let counter: Transport?

    private enum Body {
        case notBegun, wanted
        /// Read to its end and dropped, which keeps the connection.
        case drained
        case refused
    }

    /// An unwanted body up to this size costs less to read than a new connection, TLS above all.
    private static let largestDrained: Int64 = 64 << 10

    init(
        id: Int, request: Request, handle: EasyHandle, receiver: any ResponseReceiver,
        continuation: UnsafeContinuation<Completion, Never>, counter: Transport?
    ) {
        self.id = id
        self.request = request
        self.handle = handle
        self.receiver = receiver
        self.continuation = continuation
        self.counter = counter
        isHTTP = request.address.isHTTP
        handle.prepare(for: request)
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = mirror_curl_on_header(handle.pointer, receiveHeader, context)
        _ = mirror_curl_on_body(handle.pointer, receiveBody, context)
    }

    fileprivate func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        // What follows the body is a trailer and decides nothing.
        guard isHTTP, case .notBegun = body else { return true }
        isHeadTooLarge = !parser.add(line)
        return !isHeadTooLarge
    }

    fileprivate func receiveBodyBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // What ftp and file say of size and time comes as header lines, and these come as a body too (lib/ftp.c).
        if !isHTTP, request.method == .head { return true }
        if case .notBegun = body { beginBody() }
        bodyBytes += Int64(bytes.count)
        counter?.count(bytes.count)
        switch body {
        case .wanted:
            if receiver.receive(bytes) { return true }
            body = .refused
            return false
        case .drained: return bodyBytes <= Self.largestDrained
        case .notBegun, .refused:
            return false
        }
    }

    /// The head is shown when the first byte comes, not when its last line does: only then is it sure that libcurl
    /// does not answer it itself, as it does a challenge.
    private func beginBody() {
        if !isHTTP { makeHead() }
        guard let head = parser.head ?? plainHead else { return }
        // A redirect is the sender's to follow: no receiver ever takes its body for the file.
        let isRedirect = RedirectRule.isRedirect(head.status) && head.location != nil
        if !isRedirect, receiver.receive(head: head) {
            body = .wanted
        } else {
            body = (head.contentLength ?? .max) <= Self.largestDrained ? .drained : .refused
        }
    }

    private var plainHead: ResponseHead?

    /// Puts what ftp, sftp and file say into the words of HTTP.
    private func makeHead() {
        let length = mirror_curl_info_offset(handle.pointer, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, -1)
        let time = mirror_curl_info_offset(handle.pointer, CURLINFO_FILETIME_T, -1)
        var head = ResponseHead(status: 200, contentLength: length >= 0 ? length : nil)
        if time >= 0 { head.validators.lastModified = HTTPDate(seconds: time).httpText }
        if let range = request.range, length >= 0 {
            let (total, overflow) = range.first.addingReportingOverflow(length)
            if !overflow, total > range.first {
                // The transfer is asked for all that follows, and stopped at the last byte that is wanted.
                head.status = 206
                head.contentRange = "bytes \(range.first)-\(min(range.last ?? .max, total - 1))/\(total)"
                head.contentLength = nil
            }
        }
        plainHead = head
    }

    /// - Parameter code: what libcurl says; nil when the transfer was cancelled.
    func finish(_ code: CURLcode?) {
        if code == CURLE_OK, case .notBegun = body {
            // An empty body: the head has not been shown yet.
            beginBody()
        }
        let connections = mirror_curl_info_long(handle.pointer, CURLINFO_NUM_CONNECTS, 0)
        continuation.resume(
            returning: Completion(
                outcome: outcome(code), head: parser.head ?? plainHead, bodyBytes: bodyBytes,
                wasConnected: connections > 0 || parser.head != nil))
    }

    private func outcome(_ code: CURLcode?) -> Completion.Outcome {
        guard let code else { return .cancelled }
        if isHeadTooLarge { return .failed(Failure(.http, "the answer's header is larger than any real one")) }
        switch (code, body) {
        case (CURLE_OK, .wanted), (CURLE_OK, .drained), (CURLE_OK, .refused): return .finished
        case (_, .refused), (_, .drained): return .stopped
        case (CURLE_OK, .notBegun):
            return .failed(Failure(.truncated, "the connection ended before the answer began", isTransient: true))
        case (CURLE_UNSUPPORTED_PROTOCOL, _) where request.address.isHTTP:
            // What is no HTTP may be the rest of the answer before on this connection; another connection is begun with.
            let message = CurlWords.sentence(code, handle.message(for: code))
            return .failed(Failure(.http, message, isTransient: true))
        default: return .failed(.curl(code, message: handle.message(for: code), received: bodyBytes))
        }
    }
}

/// libcurl's header callback: one complete line a call.
private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.receiveHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

/// libcurl's write callback. `size` is always 1.
private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.receiveBodyBytes(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}
