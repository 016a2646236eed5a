// The options whose names and meanings are curl's.

import MirrorKit

extension OptionTable {
    static let credentials: [OptionDescription] = [
        .list(
            .credentials, "header", short: "H", "LINE", "send «Name: value»", isSecret: true,
            \.sync.transport.fields, .header),
        .value(
            .credentials, "user", short: "u", "USER:PASSWORD", "log in; without «:PASSWORD» an empty one",
            isSecret: true, \.sync.transport.user, .credentials),
        .flag(.credentials, "netrc", "log in with what ~/.netrc says", \.sync.transport.usesNetrc, true),
        .value(
            .credentials, "netrc-file", "FILE", "log in with what this file says", \.sync.transport.netrcFile,
            .text()),
        .value(
            .credentials, "aws-sigv4", "PARTS", "sign requests, as with aws:amz:REGION:s3", isSecret: true,
            \.sync.transport.awsSignature, .text()),
        .value(
            .credentials, "user-agent", short: "A", "NAME", "what servers are told mirror is",
            \.sync.transport.userAgent, .text(mayBeEmpty: true)),
    ]

    static let connections: [OptionDescription] = [
        // As with curl, an empty one means none, whatever the environment says.
        .value(
            .connections, "proxy", "URL", "go through this proxy; empty: none", isSecret: true, \.sync.transport.proxy,
            .text(mayBeEmpty: true)),
        .value(
            .connections, "proxy-user", short: "U", "USER:PASSWORD", "log in at the proxy", isSecret: true,
            \.sync.transport.proxyUser, .credentials),
        .value(
            .connections, "noproxy", "HOSTS", "no proxy for these, comma-separated", \.sync.transport.noProxy,
            .text(mayBeEmpty: true)),
        .value(
            .connections, "cacert", "FILE", "trust these CA certificates (PEM)", \.sync.transport.caFile, .text()),
        .value(.connections, "cert", short: "E", "FILE", "client certificate", \.sync.transport.certificate, .text()),
        .value(.connections, "key", "FILE", "key of the client certificate", \.sync.transport.key, .text()),
        .flag(.connections, "insecure", "do not check server certificates", \.sync.transport.isInsecure, true),
        .flag(.connections, "http1.1", "use HTTP/1.1", \.sync.transport.httpVersion, .http1),
        .flag(.connections, "http2", "use HTTP/2", \.sync.transport.httpVersion, .http2),
        .list(
            .connections, "resolve", "HOST:PORT:ADDRESS", "connect to this address", \.sync.transport.resolve,
            .text()),
        .value(
            .connections, "interface", "NAME", "go out by this interface or address", \.sync.transport.interface,
            .text()),
        .flag(.connections, "ipv4", short: "4", "use IPv4 only", \.sync.transport.addressFamily, .ipv4),
        .flag(.connections, "ipv6", short: "6", "use IPv6 only", \.sync.transport.addressFamily, .ipv6),
    ]
}
