// One line of the access log of the tests' nginx.

/// A request that nginx has answered.
struct NginxRequest: Sendable {
    /// The format of the log. No field of it holds a blank in these tests.
    static let format =
        "$request_method $request_uri $status $body_bytes_sent $connection $server_protocol $ssl_protocol $http_range"

    let method: String
    let target: String
    let status: Int
    /// Bytes of the body that were sent.
    let bytes: Int64
    /// The number of its connection.
    let connection: Int
    /// For example `HTTP/2.0`.
    let version: String
    /// The Range header; nil for none.
    let range: String?

    init?(line: Substring) {
        let fields = line.split(separator: " ")
        guard fields.count == 8, let status = Int(fields[2]), let bytes = Int64(fields[3]),
            let connection = Int(fields[4])
        else { return nil }
        method = String(fields[0])
        target = String(fields[1])
        self.status = status
        self.bytes = bytes
        self.connection = connection
        version = String(fields[5])
        range = fields[7] == "-" ? nil : String(fields[7])
    }
}
