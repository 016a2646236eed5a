// libcurl's multi handle, which drives all transfers of a loop.

import CCurl

/// Owns one multi handle.
final class MultiHandle {
    let pointer: UnsafeMutableRawPointer
    private var isClosed = false

    /// - Parameters:
    ///   - connectionsPerHost: a last line of defence; requests are counted before they come here.
    ///   - usesProxy: libcurl 7.87 and 7.88 break HTTP/2 multiplexing behind a proxy.
    /// - Returns: nil when there is no memory.
    init?(connectionsPerHost: Int, usesProxy: Bool) {
        guard let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
        _ = mirror_curl_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
        // By itself libcurl keeps four for each transfer that runs at the moment, and so drops good ones whenever few do.
        _ = mirror_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, max(connectionsPerHost * 8, 64))
        if usesProxy { _ = mirror_curl_multi_set_long(pointer, CURLMOPT_PIPELINING, mirror_curlpipe_nothing) }
    }

    deinit { close() }

    /// Ends all connections. Nothing else may be called afterwards.
    func close() {
        if !isClosed { curl_multi_cleanup(pointer) }
        isClosed = true
    }

    func add(_ handle: EasyHandle) -> Bool { curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK }

    func remove(_ handle: EasyHandle) { curl_multi_remove_handle(pointer, handle.pointer) }

    /// Moves every transfer as far as it goes without waiting. The callbacks run in here.
    func perform() {
        var running: Int32 = 0
        curl_multi_perform(pointer, &running)
    }

    /// The next transfer that has ended.
    func nextDone() -> (handle: UnsafeMutableRawPointer, result: CURLcode)? {
        var result = CURLE_OK
        return mirror_curl_multi_next_done(pointer, &result).map { ($0, result) }
    }
}
