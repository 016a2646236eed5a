// What libcurl's URL API says, in mirror's words.

import CCurl

extension URLProblem {
    init(_ code: CURLUcode) {
        self =
            switch code {
            case CURLUE_BAD_PORT_NUMBER, CURLUE_NO_PORT: .badPort
            case CURLUE_NO_HOST, CURLUE_BAD_FILE_URL: .noHost
            case CURLUE_BAD_HOSTNAME, CURLUE_BAD_IPV6, CURLUE_LACKS_IDN: .badHost
            case CURLUE_BAD_USER, CURLUE_BAD_PASSWORD, CURLUE_BAD_LOGIN, CURLUE_USER_NOT_ALLOWED: .badUser
            case CURLUE_BAD_SCHEME, CURLUE_NO_SCHEME: .noScheme
            default: .malformed
            }
    }
}
