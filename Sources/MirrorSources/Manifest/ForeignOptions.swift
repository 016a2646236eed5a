// The options of aria2's input files that mean nothing to mirror. They are passed over, so that such a file is a
// manifest as it is; the names are those of section «Input File» of aria2's manual, and of its newer versions.

enum ForeignOptions {
    static func contains(_ name: String) -> Bool { names.contains(name) }

    private static let names: Set<String> = Set(
        """
        all-proxy all-proxy-passwd all-proxy-user allow-overwrite allow-piece-length-change always-resume async-dns
        auto-file-renaming bt-enable-hook-after-hash-check bt-enable-lpd bt-exclude-tracker bt-external-ip
        bt-force-encryption bt-hash-check-seed bt-load-saved-metadata bt-max-open-files bt-max-peers bt-metadata-only
        bt-min-crypto-level bt-prioritize-piece bt-remove-unselected-file bt-request-peer-speed-limit
        bt-require-crypto bt-save-metadata bt-seed-unverified bt-stop-timeout bt-tracker bt-tracker-connect-timeout
        bt-tracker-interval bt-tracker-timeout check-integrity conditional-get connect-timeout
        content-disposition-default-utf8 continue dry-run enable-http-keep-alive enable-http-pipelining enable-mmap
        enable-peer-exchange file-allocation follow-metalink follow-torrent force-save force-sequential ftp-passwd
        ftp-pasv ftp-proxy ftp-proxy-passwd ftp-proxy-user ftp-reuse-connection ftp-type ftp-user gid
        hash-check-only http-accept-gzip http-auth-challenge http-no-cache http-passwd http-proxy
        http-proxy-passwd http-proxy-user http-user https-proxy https-proxy-passwd https-proxy-user index-out
        load-cookies lowest-speed-limit max-connection-per-server max-download-limit max-file-not-found
        max-mmap-limit max-resume-failure-tries max-tries max-upload-limit metalink-base-uri
        metalink-enable-unique-protocol metalink-file metalink-language metalink-location metalink-os
        metalink-preferred-protocol metalink-version min-split-size no-file-allocation-limit no-netrc no-proxy
        no-want-digest-header parameterized-uri pause pause-metadata piece-length proxy-method
        realtime-chunk-checksum remote-time remove-control-file retry-wait reuse-uri rpc-save-upload-metadata
        save-not-found seed-ratio seed-time select-file ssh-host-key-md stream-piece-selector timeout torrent-file
        uri-selector use-head
        """.split(whereSeparator: \.isWhitespace).map { String($0) })
}
