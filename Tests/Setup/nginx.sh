# shellcheck shell=bash
# Sourced by scripts that need a web server of their own: Debian's nginx on 127.0.0.1, with all of its files in one
# folder. Never touches the nginx service of the machine, and stops only the process it started.

nginx_pid=
nginx_port=

# start_nginx FOLDER FIRST_PORT: serves as FOLDER/nginx.conf.in says, where @FOLDER@ and @PORT@ stand for the values
# in use. Takes the first free port from FIRST_PORT on; sets nginx_pid and nginx_port.
start_nginx() {
    local folder=$1 port text
    for ((port = $2; port < $2 + 100; port++)); do
        ! is_port_taken "$port" || continue
        text=$(<"$folder/nginx.conf.in")
        text=${text//@FOLDER@/"$folder"}
        printf '%s\n' "${text//@PORT@/"$port"}" >"$folder/nginx.conf"
        rm -f "$folder/nginx.pid"
        PATH=$PATH:/usr/sbin nginx -p "$folder" -e "$folder/error.log" -c "$folder/nginx.conf" \
            </dev/null >"$folder/nginx.out" 2>&1 &
        nginx_pid=$!
        if await_nginx "$folder"; then
            # shellcheck disable=SC2034
            nginx_port=$port
            return 0
        fi
        wait "$nginx_pid" || true
        nginx_pid=
        # Somebody else took the port between the look and the bind: the next one. Anything else is an error.
        grep -q 'Address already in use' "$folder/nginx.out" || break
    done
    echo "nginx did not start:" >&2
    cat "$folder/nginx.out" >&2
    return 1
}

# nginx writes its pid file after it has bound the port, so the file says that this nginx is the one that answers.
await_nginx() { # FOLDER
    while [ ! -s "$1/nginx.pid" ]; do
        kill -0 "$nginx_pid" 2>/dev/null || return 1
        sleep 0.02
    done
}

is_port_taken() { (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Ends nginx after the answers that are under way; its log is whole when this returns.
stop_nginx() {
    [ -n "$nginx_pid" ] || return 0
    kill -QUIT "$nginx_pid" 2>/dev/null || true
    wait "$nginx_pid" 2>/dev/null || true
    nginx_pid=
}

# The first lines of a configuration: in the foreground, able to read FOLDER, nothing outside FOLDER written.
nginx_preamble() {
    [ "$(id -u)" != 0 ] || echo "user root;"
    cat <<'CONF'
daemon off;
worker_processes 1;
pid "@FOLDER@/nginx.pid";
error_log "@FOLDER@/error.log";
CONF
}

nginx_http_preamble() {
    cat <<'CONF'
    types { }
    default_type application/octet-stream;
    client_body_temp_path "@FOLDER@/tmp-body";
    proxy_temp_path "@FOLDER@/tmp-proxy";
    fastcgi_temp_path "@FOLDER@/tmp-fastcgi";
    uwsgi_temp_path "@FOLDER@/tmp-uwsgi";
    scgi_temp_path "@FOLDER@/tmp-scgi";
CONF
}
