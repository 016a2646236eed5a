// What libcurl's error codes mean to a user, and which of them may pass.

import CCurl
import MirrorCore

extension Failure {
    /// - Parameters:
    ///   - message: libcurl's words for this very error.
    ///   - received: body bytes that arrived before.
    static func curl(_ code: CURLcode, message: String, received: Int64) -> Failure {
        let isGarbled = CurlWords.isGarbled(code, message)
        let message = CurlWords.sentence(code, message)
        return switch code {
        case _ where isGarbled: Failure(.http, message, isTransient: true)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            Failure(.resolve, message, isTransient: true)
        case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PROXY,
            CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR, CURLE_FTP_CANT_GET_HOST,
            CURLE_FTP_ACCEPT_FAILED, CURLE_FTP_ACCEPT_TIMEOUT, CURLE_SSH, CURLE_AGAIN:
            Failure(.connect, message, isTransient: true)
        case CURLE_OPERATION_TIMEDOUT: Failure(.timeout, message, isTransient: true)
        case CURLE_PARTIAL_FILE: Failure(.truncated, message, isTransient: true)
        case CURLE_SSL_CONNECT_ERROR: Failure(.tls, message, isTransient: true)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_USE_SSL_FAILED,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_SSL_CRL_BADFILE:
            Failure(.tls, message)
        case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE, CURLE_FILE_COULDNT_READ_FILE,
            CURLE_TFTP_NOTFOUND:
            Failure(.notFound, message)
        case CURLE_REMOTE_ACCESS_DENIED: Failure(.forbidden, message)
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR: Failure(.unauthorized, message)
        case CURLE_RANGE_ERROR, CURLE_BAD_DOWNLOAD_RESUME: Failure(.range, message, isTransient: true)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_NOT_BUILT_IN, CURLE_URL_MALFORMAT: Failure(.unsupported, message)
        case CURLE_OUT_OF_MEMORY, .tooLarge:
            // What libcurl says of a header line that is longer than its own limit.
            Failure(.http, "a line of the answer's header is longer than any real one, or memory is short")
        case CURLE_INTERFACE_FAILED: Failure(.connect, message)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_FTP_WEIRD_PASS_REPLY, CURLE_FTP_WEIRD_PASV_REPLY, CURLE_FTP_WEIRD_227_FORMAT:
            Failure(.http, message, isTransient: true)
        default: Failure(received > 0 ? .truncated : .http, message, isTransient: received > 0)
        }
    }
}

extension CURLcode {
    /// `CURLE_TOO_LARGE`, which libcurl has since 8.6.
    fileprivate static let tooLarge = CURLcode(rawValue: 100)
}
