// One request in progress: what libcurl's callbacks write to. It lives on the loop's thread only.

import CCurl
import Glibc
import MirrorCore

/// A running request with its answer so far.
final class Transfer {
    let id: Int
    let request: Request
    private(set) var handle: EasyHandle
    private let receiver: any ResponseReceiver
    private let continuation: UnsafeContinuation<Completion, Never>
    private var parser = HeaderParser()
    private var bodyBytes: Int64 = 0
    private var body = Body.notBegun
    private var isHeadTooLarge = false
    private let isHTTP: Bool
    /// Told of every byte when the rate is limited.
    private let counter: Transport?
    private(set) var watch: StallWatch
    private let now: @Sendable () -> Int64
    private var hasBegunAnew = false
    private var hasHeard = false
    /// There where nothing but the end of a TLS connection tells the end of the body.
    private var goodbye: TLSGoodbye?

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
        continuation: UnsafeContinuation<Completion, Never>, counter: Transport?, watch: StallWatch,
        now: @escaping @Sendable () -> Int64
    ) {
        self.id = id
        self.request = request
        self.handle = handle
        self.receiver = receiver
        self.continuation = continuation
        self.counter = counter
        self.watch = watch
        self.now = now
        isHTTP = request.address.isHTTP
        prepare()
    }

    private func prepare() {
        handle.prepare(for: request)
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = mirror_curl_on_header(handle.pointer, receiveHeader, context)
        _ = mirror_curl_on_body(handle.pointer, receiveBody, context)
        _ = mirror_curl_on_request(handle.pointer, beginRequest, context)
    }

    /// libcurl sends a request again when the connection that it reused turns out to be dead, and counts how often an easy
    /// handle had to: over all its requests, so that the sixth fails (lib/transfer.c of 7.88.1). A new handle has not
    /// counted anything.
    /// - Returns: whether the request is to be sent once more.
    func beginsAnew(after code: CURLcode, with fresh: () -> EasyHandle?) -> Bool {
        guard Self.isBroken(code), info(CURLINFO_NUM_CONNECTS) == 0, !hasBegunAnew, !hasHeard, !failsInHTTP2(code),
            let fresh = fresh()
        else { return false }
        hasBegunAnew = true
        handle = fresh
        prepare()
        return true
    }

    /// libcurl is about to send the request, perhaps not for the first time: after HTTP_1_1_REQUIRED it begins again by
    /// itself, even where the receiver has some of the first answer (lib/multi.c of 7.88.1).
    /// - Returns: whether it may.
    fileprivate func begin() -> Bool {
        if case .notBegun = body {
            watch.begin(at: now())
            return true
        }
        return false
    }

    /// Nothing has been read on purpose until now.
    func excuseSilence() { watch.excuse(until: now()) }

    fileprivate func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        hasHeard = true
        watch.note(at: now())
        // What follows the body is a trailer and decides nothing.
        guard isHTTP, case .notBegun = body else { return true }
        isHeadTooLarge = !parser.add(line)
        if let head = parser.head {
            let isTold = !head.endsWithConnection || request.address.origin.scheme != "https"
            goodbye = isTold ? nil : TLSGoodbye.of(handle.pointer)
        }
        return !isHeadTooLarge
    }

    fileprivate func receiveBodyBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        hasHeard = true
        watch.note(at: now())
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
        guard let head else { return }
        // A redirect is the sender's to follow: no receiver ever takes its body for the file.
        if RedirectRule.target(of: head) == nil, receiver.receive(head: head) {
            body = .wanted
        } else {
            body = (head.contentLength ?? .max) <= Self.largestDrained ? .drained : .refused
        }
    }

    private var plainHead: ResponseHead?

    /// An answer without a Date is dated when it comes (RFC 9110 section 6.6.1).
    private var head: ResponseHead? {
        guard var head = parser.head ?? plainHead else { return nil }
        head.validators.date = head.validators.date ?? arrival
        return head
    }

    private lazy var arrival = HTTPDate(seconds: Int64(time(nil)))

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

    /// - Parameters:
    ///   - code: what libcurl says; nil when the transfer was ended from outside.
    ///   - failure: why it was ended from outside; nil when it was cancelled.
    func finish(_ code: CURLcode?, _ failure: Failure? = nil) {
        if code == CURLE_OK, case .notBegun = body {
            // An empty body: the head has not been shown yet.
            beginBody()
        }
        let connections = info(CURLINFO_NUM_CONNECTS)
        var completion = Completion(
            outcome: failure.map { .failed($0) } ?? outcome(code), head: head, bodyBytes: bodyBytes)
        completion.openedConnection = connections > 0 || parser.head == nil
        completion.wasCutOff = goodbye?.wasSaid == false
        completion.failedInHTTP2 = completion.failure != nil && failsInHTTP2(code)
        completion.isSilentTLS = completion.failure != nil && Self.isBroken(code) && isSilentTLS
        continuation.resume(returning: completion)
    }

    private func info(_ name: CURLINFO) -> Int { mirror_curl_info_long(handle.pointer, name, 0) }

    /// libcurl has two codes for it, and others that can only come of a dead HTTP/2 connection.
    private func failsInHTTP2(_ code: CURLcode?) -> Bool {
        switch code {
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_ABORTED_BY_CALLBACK: true
        case _ where Self.isBroken(code): info(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0
        default: false
        }
    }

    private static func isBroken(_ code: CURLcode?) -> Bool {
        code.map { [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING].contains($0) } ?? false
    }

    /// A new connection, TLS included, and then not a word: so it looks when every stream is refused.
    private var isSilentTLS: Bool {
        !hasHeard && request.address.origin.scheme == "https" && (info(CURLINFO_NUM_CONNECTS) > 0 || hasBegunAnew)
    }

    private func end(_ code: CURLcode) -> CurlEnd {
        var end = CurlEnd(code, handle.message(for: code))
        end.received = bodyBytes
        if request.address.isFTP { end.ftpReply = info(CURLINFO_RESPONSE_CODE) }
        if request.address.isHTTP, parser.head == nil { end.tunnelReply = info(CURLINFO_HTTP_CONNECTCODE) }
        return end
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
        // Only a second request within an answer is ever held back.
        case (CURLE_ABORTED_BY_CALLBACK, _): return .failed(.truncated(received: bodyBytes, expected: nil))
        default: return .failed(.curl(end(code)))
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

/// libcurl's word that the connection stands and the request goes out.
private func beginRequest(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?, _ port: Int32, _ localPort: Int32
) -> Int32 {
    guard let context else { return CURL_PREREQFUNC_OK }
    let mayBegin = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().begin()
    return mayBegin ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
