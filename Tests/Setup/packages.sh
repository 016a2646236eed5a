#!/usr/bin/env bash
# Installs the Debian packages that are missing for the groups named: build, test, bench.
# As root, or by sudo where that works; otherwise it prints the one line to run and ends with 1.
# When nothing is missing it asks dpkg once and does nothing else. It never removes a package.
set -euo pipefail

# An entry PACKAGE:PROGRAM also counts as present when the program is there, whatever package brought it.
build=(libcurl4-openssl-dev libxml2-dev libsqlite3-dev libssl-dev libxxhash-dev zlib1g-dev
    libzstd-dev liblzma-dev libyajl-dev pkg-config:pkg-config)
test=(nginx:nginx curl:curl ca-certificates openssl:openssl apache2-bin:apache2 haproxy:haproxy vsftpd:vsftpd
    tinyproxy-bin:tinyproxy lighttpd:lighttpd caddy:caddy python3:/usr/bin/python3 python3-venv)
bench=(nginx:nginx curl:curl wget2:wget2 aria2:aria2c time:/usr/bin/time libxml2-utils:xmllint)

PATH=$PATH:/usr/sbin:/sbin

if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system. Install what README.md names under «Dependencies» by hand; going on." >&2
    exit 0
fi

is_present() { # ENTRY
    local package=${1%%:*} program=${1#*:}
    [ "$program" != "$1" ] && command -v "$program" >/dev/null && return
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ]
}

missing=()
for group in "$@"; do
    case $group in
        build) entries=("${build[@]}") ;;
        test) entries=("${test[@]}") ;;
        bench) entries=("${bench[@]}") ;;
        *) echo "packages.sh: no group named '$group' (build, test, bench)" >&2; exit 2 ;;
    esac
    for entry in "${entries[@]}"; do
        is_present "$entry" || missing+=("${entry%%:*}")
    done
done
[ ${#missing[@]} -gt 0 ] || exit 0

line="apt-get install --no-install-recommends ${missing[*]}"
if [ "$(id -u)" = 0 ]; then
    as_root=(env)
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root=(sudo env)
else
    printf 'Debian packages are missing. Run this, then try again:\n\n    sudo %s\n\n' "$line" >&2
    exit 1
fi

# Debian starts and enables the service of a server when its package is installed. Here only the program is wanted, so a
# service that was not there before is stopped and disabled again; one of them may hold a port only for the other.
restore_services() {
    local status=$? service
    for service in nginx haproxy vsftpd lighttpd caddy; do
        [[ " ${missing[*]} " == *" $service "* ]] || continue
        if [ -d /run/systemd/system ]; then
            "${as_root[@]}" systemctl disable --now "$service" >/dev/null 2>&1 || true
        elif [ -e "/etc/init.d/$service" ]; then
            "${as_root[@]}" service "$service" stop >/dev/null 2>&1 || true
            "${as_root[@]}" update-rc.d "$service" disable >/dev/null 2>&1 || true
        fi
    done
    exit "$status"
}
trap restore_services EXIT

echo "Installing Debian packages: ${missing[*]}"
# A list that cannot be refreshed need not keep a known package from being installed.
"${as_root[@]}" apt-get -q update >/dev/null || echo "The package lists could not be refreshed; going on." >&2
install=(apt-get -q -y -o DPkg::Lock::Timeout=300 --no-install-recommends --no-remove install "${missing[@]}")
if ! "${as_root[@]}" DEBIAN_FRONTEND=noninteractive "${install[@]}" >/dev/null; then
    printf 'The packages could not be installed. What was tried:\n\n    %s\n\n' "$line" >&2
    exit 1
fi
