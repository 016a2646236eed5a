// The server programs of the tests beside nginx, each with as much of a configuration as it needs to serve one folder.

import Foundation
import Glibc

extension LoopbackServer.Program {
    /// Apache.
    /// - Parameter settings: directives of the server.
    static func apache(_ settings: String = "") -> Self {
        let modules = ["mpm_event", "authz_core", "setenvif", "filter", "deflate", "headers"].map {
            "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
        }
        return Self(
            package: "apache2-bin", path: "/usr/sbin/apache2",
            arguments: ["-D", "FOREGROUND", "-f", "@FOLDER@/configuration"],
            configuration: """
                ServerRoot "@FOLDER@"
                ServerName localhost
                Listen 127.0.0.1:@PORT@
                PidFile "@FOLDER@/pid"
                DefaultRuntimeDir "@FOLDER@"
                ErrorLog "@FOLDER@/log"
                \(modules.joined(separator: "\n"))
                User www-data
                Group www-data
                DocumentRoot "@FOLDER@/www"
                \(settings)

                """,
            portIsTaken: "Address already in use")
    }

    /// HAProxy before another server.
    /// - Parameters:
    ///   - port: that of the server behind it.
    ///   - defaults: more lines for both sides.
    ///   - server: more words for the line of the server.
    static func haproxy(before port: UInt16, defaults: String = "", server: String = "") -> Self {
        Self(
            package: "haproxy", path: "/usr/sbin/haproxy", arguments: ["-db", "-f", "@FOLDER@/configuration"],
            configuration: """
                defaults
                    mode http
                    timeout connect 60s
                    timeout client 600s
                    timeout server 600s
                    \(defaults)
                frontend front
                    bind 127.0.0.1:@PORT@
                    default_backend back
                backend back
                    server one 127.0.0.1:\(port) \(server)

                """,
            portIsTaken: "Address already in use")
    }

    /// tinyproxy.
    /// - Parameter tunnels: the only port that CONNECT may lead to.
    static func tinyproxy(tunnels: UInt16 = 1) -> Self {
        Self(
            package: "tinyproxy-bin", path: "/usr/bin/tinyproxy", arguments: ["-d", "-c", "@FOLDER@/configuration"],
            configuration: """
                Port @PORT@
                Listen 127.0.0.1
                Allow 127.0.0.1
                Timeout 600
                MaxClients 100
                PidFile "@FOLDER@/pid"
                LogFile "@FOLDER@/log"
                ViaProxyName "tinyproxy"
                ConnectPort \(tunnels)

                """,
            portIsTaken: "Address already in use")
    }

    /// vsftpd for everybody.
    static func vsftpd() -> Self {
        vsftpd(
            """
            anonymous_enable=YES
            no_anon_password=YES
            anon_root=@FOLDER@/www
            """)
    }

    /// vsftpd for nobody but one user, whom only a mount namespace of the server knows: the machine's users stay as they are.
    /// As root only.
    static func vsftpd(user: String, password: String) -> Self {
        var program = vsftpd(
            """
            anonymous_enable=NO
            local_enable=YES
            local_root=@FOLDER@/www
            session_support=NO
            delay_failed_login=0
            """)
        let names = """
            set -e
            mkdir pam
            echo "auth required pam_unix.so nodelay" >pam/vsftpd
            echo "account required pam_permit.so" >>pam/vsftpd
            { cat /etc/passwd; echo "\(user):x:65534:65534::/:/bin/sh"; } >passwd
            echo "\(user):$(openssl passwd -6 "\(password)"):19000:0:99999:7:::" >shadow
            mount --bind pam /etc/pam.d
            mount --bind passwd /etc/passwd
            mount --bind shadow /etc/shadow
            exec "$@"
            """
        program.wrapper = ["unshare", "--mount", "sh", "-c", names, "sh"]
        return program
    }

    private static func vsftpd(_ settings: String) -> Self {
        Self(
            package: "vsftpd", path: "/usr/sbin/vsftpd", arguments: ["@FOLDER@/configuration"],
            configuration: """
                listen=YES
                listen_address=127.0.0.1
                listen_port=@PORT@
                pasv_address=127.0.0.1
                background=NO
                xferlog_enable=NO
                secure_chroot_dir=@FOLDER@/empty
                seccomp_sandbox=NO
                isolate=NO
                isolate_network=NO
                \(geteuid() == 0 ? "" : "run_as_launching_user=YES")
                \(settings)

                """.split(separator: "\n", omittingEmptySubsequences: true).joined(separator: "\n") + "\n",
            portIsTaken: "could not bind")
    }
}
