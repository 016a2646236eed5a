// Whether a TLS connection ended as TLS wants it, with close_notify. libcurl does not tell: since 7.85 it has OpenSSL take
// the bare end of TCP for the same (SSL_OP_IGNORE_UNEXPECTED_EOF, lib/vtls/openssl.c), and sets what SSL_get_shutdown
// says. Only an alert that has really been read reaches OpenSSL's information callback. This never ends a connection.

import CCurl

/// One TLS connection, kept in memory until the question has been answered: libcurl frees it before it says that a transfer
/// is over. It lives on the loop's thread only.
final class TLSGoodbye {
    private let connection: OpaquePointer

    /// nil when the transfer has no TLS connection now, or one of a library other than OpenSSL.
    init?(of handle: UnsafeMutableRawPointer) {
        guard let connection = mirror_curl_tls(handle), SSL_up_ref(connection) == 1 else { return nil }
        self.connection = connection
        SSL_set_info_callback(connection, noteAlert)
    }

    deinit { SSL_free(connection) }

    /// Whether the other side has said that no more will come.
    var wasSaid: Bool { SSL_get_ex_data(connection, goodbyePlace) != nil }
}

/// Where a connection keeps that it was said goodbye to.
private let goodbyePlace = mirror_tls_new_place()

/// OpenSSL's information callback.
private func noteAlert(_ connection: OpaquePointer?, _ event: Int32, _ alert: Int32) {
    guard mirror_tls_is_goodbye(event, alert) != 0, let connection else { return }
    SSL_set_ex_data(connection, goodbyePlace, UnsafeMutableRawPointer(connection))
}
