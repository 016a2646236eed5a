// What all easy handles of a run have in common, made once.

import CCurl
import MirrorCore

/// The options of a run in the form in which libcurl takes them.
final class HandleProfile {
    let options: TransportOptions
    /// Lines that go to every origin.
    let plainLines: [String]
    /// Lines that go only to the origins that the source names.
    let trustedLines: [String]
    /// For requests without lines of their own, which are nearly all.
    let plainList: HeaderList
    let trustedList: HeaderList
    let resolveList: HeaderList

    /// libcurl's buffers are no larger than this, in bytes.
    let largestBuffer: Int

    init(_ options: TransportOptions, largestBuffer: Int?) {
        self.options = options
        self.largestBuffer = largestBuffer ?? .max
        // Sizes and ranges are those of the file on disk, so no content coding is wanted.
        plainLines = ["Accept-Encoding: identity"]
        trustedLines = plainLines + options.fields.map { "\($0.name): \($0.value)" }
        plainList = HeaderList(plainLines)
        trustedList = HeaderList(trustedLines)
        resolveList = HeaderList(options.resolve)
    }

    /// Sets what never changes between requests.
    func apply(to handle: UnsafeMutableRawPointer) {
        func set(_ option: CURLoption, _ value: Int) { _ = mirror_curl_set_long(handle, option, value) }
        func set(_ option: CURLoption, _ value: String?) {
            if let value { _ = mirror_curl_set_text(handle, option, value) }
        }
        set(CURLOPT_NOSIGNAL, 1)
        _ = mirror_curl_keep_sockets(handle)
        set(CURLOPT_NOPROGRESS, 1)
        set(CURLOPT_FILETIME, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https,ftp,ftps,sftp,file")
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
        set(CURLOPT_NETRC, options.usesNetrc || options.netrcFile != nil ? 1 : 0)
        set(CURLOPT_NETRC_FILE, options.netrcFile)
        set(CURLOPT_PROXY, options.proxy)
        set(CURLOPT_PROXYUSERPWD, options.proxyUser)
        set(CURLOPT_NOPROXY, options.noProxy)
        set(CURLOPT_CAINFO, options.caFile)
        set(CURLOPT_SSLCERT, options.certificate)
        set(CURLOPT_SSLKEY, options.key)
        set(CURLOPT_SSL_VERIFYPEER, options.isInsecure ? 0 : 1)
        set(CURLOPT_SSL_VERIFYHOST, options.isInsecure ? 0 : 2)
        set(CURLOPT_INTERFACE, options.interface)
        set(CURLOPT_IPRESOLVE, addressFamily)
        if let list = resolveList.pointer { _ = mirror_curl_set_list(handle, CURLOPT_RESOLVE, list) }
    }

    var httpVersion: Int {
        switch options.httpVersion {
        case .automatic: CURL_HTTP_VERSION_2TLS
        case .http1: CURL_HTTP_VERSION_1_1
        case .http2: CURL_HTTP_VERSION_2_0
        }
    }

    private var addressFamily: Int {
        switch options.addressFamily {
        case .any: Int(CURL_IPRESOLVE_WHATEVER)
        case .ipv4: Int(CURL_IPRESOLVE_V4)
        case .ipv6: Int(CURL_IPRESOLVE_V6)
        }
    }
}

extension Duration {
    /// Whole milliseconds, within what an Int32 holds.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(min(max(seconds, 0), 2_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
