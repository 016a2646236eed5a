// libcurl's sentences for its errors, in the user's words where they are a programmer's. What libcurl adds to a case
// (host, port, the system's own word) is kept.

import CCurl

/// Sentences for errors of libcurl.
enum CurlWords {
    /// - Parameter message: libcurl's words for this very error, or its general ones for the code.
    static func sentence(_ code: CURLcode, _ message: String) -> String {
        switch code {
        case CURLE_GOT_NOTHING: return "the server closed the connection without an answer"
        case CURLE_OPERATION_TIMEDOUT:
            // «Operation too slow. Less than 1 bytes/sec transferred the last 30 seconds» (lib/speedcheck.c).
            guard message.utf8.starts(with: "Operation too slow".utf8) else { return message }
            let seconds = message.split(separator: " ").last { $0.utf8.allSatisfy(\.isASCIIDigit) }
            return seconds.map { "no byte came for \($0) s" } ?? message
        case CURLE_UNSUPPORTED_PROTOCOL where message.utf8.starts(with: "Received HTTP/0.9".utf8):
            return "what the server sends is no HTTP answer"
        case CURLE_WEIRD_SERVER_REPLY: return "the server's answer cannot be understood: \(message)"
        default: return isGarbled(code, message) ? "the server's answer cannot be understood: \(message)" : message
        }
    }

    /// Whether it is what came that is wrong, and not how it came: libcurl has one code for both (lib/http.c and
    /// lib/http_chunks.c).
    static func isGarbled(_ code: CURLcode, _ message: String) -> Bool {
        code == CURLE_RECV_ERROR
            && ["chunk", "hunk hex", "response headers"].contains { word in message.contains(word) }
    }
}
