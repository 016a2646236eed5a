// The web servers that the tests know, and how each is told to list a folder.

import Foundation

/// A server's program with one configuration.
enum WebServerProgram: String, CaseIterable, Sendable {
    case nginxHTML, nginxXML, nginxJSON, apacheFancy, apacheTable, apachePlain, apacheDAV, lighttpd, caddy, python

    var path: String {
        switch self {
        case .nginxHTML, .nginxXML, .nginxJSON: "/usr/sbin/nginx"
        case .apacheFancy, .apacheTable, .apachePlain, .apacheDAV: "/usr/sbin/apache2"
        case .lighttpd: "/usr/sbin/lighttpd"
        case .caddy: "/usr/bin/caddy"
        case .python: "/usr/bin/python3"
        }
    }

    var package: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// Writes its configuration.
    /// - Returns: the arguments that make it serve in the foreground.
    func arguments(port: UInt16, folder: String, root: String) throws -> [String] {
        let file = "\(folder)/server.conf"
        try configuration(port, folder, root).write(toFile: file, atomically: true, encoding: .utf8)
        return switch self {
        case .nginxHTML, .nginxXML, .nginxJSON: ["-p", folder, "-e", "stderr", "-c", file]
        case .apacheFancy, .apacheTable, .apachePlain, .apacheDAV: ["-d", folder, "-f", file, "-D", "FOREGROUND"]
        case .lighttpd: ["-D", "-f", file]
        case .caddy: ["run", "--config", file, "--adapter", "caddyfile"]
        case .python: ["-u", "-m", "http.server", "\(port)", "--bind", "127.0.0.1", "--directory", root]
        }
    }

    private func configuration(_ port: UInt16, _ folder: String, _ root: String) -> String {
        switch self {
        case .nginxHTML: Self.nginx("html", port, folder, root)
        case .nginxXML: Self.nginx("xml", port, folder, root)
        case .nginxJSON: Self.nginx("json", port, folder, root)
        case .apacheFancy: Self.apache("IndexOptions FancyIndexing", port, folder, root)
        case .apacheTable: Self.apache("IndexOptions FancyIndexing HTMLTable", port, folder, root)
        case .apachePlain: Self.apache("", port, folder, root)
        case .apacheDAV: Self.apache("DAV On", port, folder, root)
        case .lighttpd:
            """
            server.document-root = "\(root)"
            server.port = \(port)
            server.bind = "127.0.0.1"
            server.modules = ("mod_dirlisting", "mod_accesslog")
            dir-listing.activate = "enable"
            accesslog.filename = "\(folder)/access.log"

            """
        case .caddy:
            """
            {
                admin off
                auto_https off
            }
            http://127.0.0.1:\(port) {
                bind 127.0.0.1
                root * \(root)
                log {
                    output file \(folder)/access.log
                }
                file_server browse {
                    index none
                }
            }

            """
        case .python: ""
        }
    }

    private static func nginx(_ form: String, _ port: UInt16, _ folder: String, _ root: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \"\(folder)/\($0)\";" }
        // Where root runs the tests, it is root who can read what they made.
        return """
            \(getuid() == 0 ? "user root;" : "")
            daemon off;
            master_process off;
            pid "\(folder)/nginx.pid";
            events { }
            http {
                \(temporary.joined(separator: " "))
                types { text/html html; }
                default_type application/octet-stream;
                log_format requests "$request_method $request_uri";
                access_log "\(folder)/access.log" requests;
                server {
                    listen 127.0.0.1:\(port);
                    root "\(root)";
                    index none;
                    autoindex on;
                    autoindex_format \(form);
                }
            }

            """
    }

    /// Apache never serves as root: where root starts it, it reads as www-data.
    private static func apache(_ settings: String, _ port: UInt16, _ folder: String, _ root: String) -> String {
        let modules = ["mpm_event", "authz_core", "autoindex", "dir", "mime", "dav", "dav_fs"]
            .map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
        return """
            ServerRoot "\(folder)"
            ServerName localhost
            Listen 127.0.0.1:\(port)
            PidFile "\(folder)/apache.pid"
            ErrorLog "/dev/stderr"
            \(getuid() == 0 ? "User www-data\nGroup www-data" : "")
            \(modules.joined(separator: "\n"))
            TypesConfig /dev/null
            DocumentRoot "\(root)"
            DirectoryIndex disabled
            DAVLockDB "\(folder)/dav"
            LogFormat "%r" requests
            CustomLog "\(folder)/access.log" requests
            <Directory "\(root)">
                Require all granted
                Options Indexes FollowSymLinks
                \(settings)
            </Directory>

            """
    }
}
