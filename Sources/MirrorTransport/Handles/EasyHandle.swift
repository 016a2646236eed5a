// One libcurl easy handle, reused from request to request so that its connection and memory are too. It knows
// libcurl and nothing of what the bytes are for.

import CCurl
import MirrorCore

/// Owns one easy handle and what libcurl does not copy.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let profile: HandleProfile
    private let errorText: UnsafeMutablePointer<CChar>
    /// The lines of the current request, when it has some of its own.
    private var ownList: HeaderList?
    /// What the last request set that the next one may have to take back.
    private var hasOwnNames = false
    private var isTrusted = false
    private var bufferSize = 0

    /// nil when there is no memory.
    init?(profile: HandleProfile) {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        self.profile = profile
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        profile.apply(to: pointer)
        _ = mirror_curl_set_text(pointer, CURLOPT_USERAGENT, profile.options.userAgent)
        _ = mirror_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// Sets what differs from one request to the next.
    func prepare(for request: Request) {
        errorText[0] = 0
        _ = mirror_curl_set_text(pointer, CURLOPT_URL, request.address.text)
        // HTTPGET also takes NOBODY back.
        _ = mirror_curl_set_long(pointer, request.method == .head ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
        _ = mirror_curl_set_text(pointer, CURLOPT_CUSTOMREQUEST, request.method == .propfind ? "PROPFIND" : nil)
        _ = mirror_curl_set_text(pointer, CURLOPT_RANGE, request.rangeText)
        setBuffer(for: request)
        setLines(for: request)
        setNames(for: request)
        setCredentials(request.isTrusted)
    }

    /// What libcurl says of the last error, or its general words for the code.
    func message(for code: CURLcode) -> String {
        errorText[0] != 0 ? String(cString: errorText) : String(cString: curl_easy_strerror(code))
    }

    /// A large buffer halves the time of a large file (512 KiB against 16 KiB, measured) and costs a small one nothing
    /// that can be measured. libcurl takes it anew for each transfer; a HEAD has no use for it.
    private func setBuffer(for request: Request) {
        let size = min(request.method == .head ? 16 << 10 : 512 << 10, profile.largestBuffer)
        guard size != bufferSize else { return }
        bufferSize = size
        _ = mirror_curl_set_long(pointer, CURLOPT_BUFFERSIZE, size)
    }

    private func setLines(for request: Request) {
        let own = request.ownLines
        let list: HeaderList
        if own.isEmpty {
            list = request.isTrusted ? profile.trustedList : profile.plainList
        } else {
            list = HeaderList((request.isTrusted ? profile.trustedLines : profile.plainLines) + own)
        }
        _ = mirror_curl_set_list(pointer, CURLOPT_HTTPHEADER, list.pointer)
        // Only now may the list of the request before be freed.
        ownList = own.isEmpty ? nil : list
    }

    private func setNames(for request: Request) {
        let hasNames = request.referer != nil || request.userAgent != nil
        guard hasNames || hasOwnNames else { return }
        _ = mirror_curl_set_text(pointer, CURLOPT_REFERER, request.referer)
        _ = mirror_curl_set_text(pointer, CURLOPT_USERAGENT, request.userAgent ?? profile.options.userAgent)
        hasOwnNames = hasNames
    }

    private func setCredentials(_ isTrusted: Bool) {
        guard isTrusted != self.isTrusted, let user = profile.options.user else { return }
        _ = mirror_curl_set_text(pointer, CURLOPT_USERPWD, isTrusted ? user : nil)
        if let signature = profile.options.awsSignature {
            _ = mirror_curl_set_text(pointer, CURLOPT_AWS_SIGV4, isTrusted ? signature : nil)
        } else {
            // Basic is sent without being asked for, as curl does.
            _ = mirror_curl_set_long(pointer, CURLOPT_HTTPAUTH, mirror_curlauth_basic)
        }
        self.isTrusted = isTrusted
    }
}
