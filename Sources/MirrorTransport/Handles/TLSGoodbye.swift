// Whether a TLS connection ended as TLS wants it, with close_notify. libcurl does not tell: since 7.85 it has OpenSSL take
// the bare end of TCP for the same (SSL_OP_IGNORE_UNEXPECTED_EOF, lib/vtls/openssl.c), which sets what SSL_get_shutdown
// says too. Only an alert that has really been read reaches OpenSSL's information callback. This never ends a connection.

import CCurl

/// What one TLS connection has heard. libcurl frees the connection, and what it reads through, before it says that a
/// transfer is over, so nothing here refers to it; the connection refers to this. It lives on the loop's thread only.
final class TLSGoodbye {
    /// Whether the other side has said that no more will come.
    fileprivate(set) var wasSaid = false

    /// For the connection that a transfer has now; nil when it has none, or one of a library other than OpenSSL.
    static func of(_ handle: UnsafeMutableRawPointer) -> TLSGoodbye? {
        guard let connection = mirror_curl_tls(handle) else { return nil }
        if let known = SSL_get_ex_data(connection, place) {
            return Unmanaged<TLSGoodbye>.fromOpaque(known).takeUnretainedValue()
        }
        let goodbye = TLSGoodbye()
        let shared = Unmanaged.passRetained(goodbye)
        guard SSL_set_ex_data(connection, place, shared.toOpaque()) == 1 else {
            shared.release()
            return nil
        }
        SSL_set_info_callback(connection, noteAlert)
        return goodbye
    }

    /// Where a connection keeps it.
    fileprivate static let place = mirror_tls_new_place { _, goodbye, _, _, _, _ in
        if let goodbye { Unmanaged<TLSGoodbye>.fromOpaque(goodbye).release() }
    }
}

/// OpenSSL's information callback.
private func noteAlert(_ connection: OpaquePointer?, _ event: Int32, _ alert: Int32) {
    guard mirror_tls_is_goodbye(event, alert) != 0,
        let goodbye = SSL_get_ex_data(connection, TLSGoodbye.place)
    else { return }
    Unmanaged<TLSGoodbye>.fromOpaque(goodbye).takeUnretainedValue().wasSaid = true
}
