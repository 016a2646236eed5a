// What libcurl's error codes mean to a user, and which of them may pass.

import CCurl
import MirrorCore

/// How libcurl says that a transfer ended.
package struct CurlEnd {
    package var code: CURLcode
    /// libcurl's words for this very error.
    package var message: String
    /// Body bytes that arrived before.
    package var received: Int64 = 0
    /// The last reply of an FTP server; 0 for other protocols.
    package var ftpReply = 0
    /// What a proxy answered to CONNECT; 0 when it was not asked.
    package var tunnelReply = 0

    package init(_ code: CURLcode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension Failure {
    package static let noMemoryForTransfer = Failure(.io, "there is no memory for another transfer")

    package static func curl(_ end: CurlEnd) -> Failure {
        if end.tunnelReply >= 300 { return .tunnel(end.tunnelReply) }
        if let failure = ftp(end) { return failure }
        return curl(end.code, end.message, hasBegun: end.received > 0)
    }

    /// FTP servers say in the first digit whether it may pass (RFC 959 section 4.2.1); libcurl's codes do not.
    private static func ftp(_ end: CurlEnd) -> Failure? {
        let message = "\(end.message) (FTP reply \(end.ftpReply))"
        switch (end.code, end.ftpReply) {
        // libcurl calls it a timeout, but servers say it of too many users too.
        case (CURLE_OPERATION_TIMEDOUT, 421): return Failure(.connect, message, isTransient: true)
        case (CURLE_OPERATION_TIMEDOUT, _), (CURLE_PARTIAL_FILE, _), (CURLE_RECV_ERROR, _): return nil
        // The service ends, or there is no data connection, or it was cut.
        case (_, 421), (_, 425), (_, 426):
            return Failure(end.received > 0 ? .truncated : .connect, message, isTransient: true)
        case (_, 400..<500): return Failure(.http, message, isTransient: true)
        case (_, 530), (_, 532): return Failure(.unauthorized, message)
        case (CURLE_FTP_COULDNT_RETR_FILE, 550): return Failure(.notFound, message)
        case (CURLE_FTP_COULDNT_RETR_FILE, 500...): return Failure(.http, message)
        default: return nil
        }
    }

    private static func curl(_ code: CURLcode, _ words: String, hasBegun: Bool) -> Failure {
        let message = CurlWords.sentence(code, words)
        return switch code {
        case _ where CurlWords.isGarbled(code, words): Failure(.http, message, isTransient: true)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            Failure(.resolve, message, isTransient: true)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3,
            CURLE_QUIC_CONNECT_ERROR, CURLE_AGAIN, CURLE_SSH, CURLE_SSL_SHUTDOWN_FAILED:
            Failure(hasBegun ? .truncated : .connect, message, isTransient: true)
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_FTP_CANT_GET_HOST, CURLE_FTP_ACCEPT_FAILED,
            CURLE_FTP_ACCEPT_TIMEOUT, CURLE_FTP_PORT_FAILED, CURLE_NO_CONNECTION_AVAILABLE:
            Failure(.connect, message, isTransient: true)
        case CURLE_OPERATION_TIMEDOUT: Failure(.timeout, message, isTransient: true)
        case CURLE_PARTIAL_FILE: Failure(.truncated, message, isTransient: true)
        case CURLE_SSL_CONNECT_ERROR: Failure(.tls, message, isTransient: true)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_SSL_CRL_BADFILE:
            Failure(.tls, message)
        case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE, CURLE_FILE_COULDNT_READ_FILE,
            CURLE_TFTP_NOTFOUND:
            Failure(.notFound, message)
        case CURLE_REMOTE_ACCESS_DENIED: Failure(.forbidden, message)
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR: Failure(.unauthorized, message)
        case CURLE_RANGE_ERROR, CURLE_BAD_DOWNLOAD_RESUME, CURLE_FTP_COULDNT_USE_REST:
            Failure(.range, message, isTransient: true)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_NOT_BUILT_IN, CURLE_URL_MALFORMAT: Failure(.unsupported, message)
        case CURLE_OUT_OF_MEMORY, .tooLarge:
            // What libcurl says of a header line that is longer than its own limit; before 8.6 it said so of both.
            Failure(.http, "a line of the answer's header is longer than any real one, or memory is short")
        case CURLE_INTERFACE_FAILED: Failure(.connect, message)
        case CURLE_TOO_MANY_REDIRECTS: Failure(.tooManyRedirects, message)
        case CURLE_FAILED_INIT, CURLE_READ_ERROR, CURLE_WRITE_ERROR, CURLE_UNRECOVERABLE_POLL:
            Failure(.io, message)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_FTP_WEIRD_PASS_REPLY, CURLE_FTP_WEIRD_PASV_REPLY, CURLE_FTP_WEIRD_227_FORMAT:
            Failure(.http, message, isTransient: true)
        default: Failure(hasBegun ? .truncated : .http, message, isTransient: hasBegun)
        }
    }
}

extension CURLcode {
    /// `CURLE_TOO_LARGE`, which libcurl has since 8.6.
    fileprivate static let tooLarge = CURLcode(rawValue: 100)
}
