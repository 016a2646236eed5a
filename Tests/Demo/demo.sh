#!/usr/bin/env bash
# Shows the main job for real: a web server on loopback, a destination in which every rule occurs, a dry run, the run,
# proof that every byte is right, and a second run that finds nothing to do; then a whole folder by its index page, and what
# becomes of a file that the server gives up. Everything lives in one temporary folder;
# it and the server are gone when this ends, however it ends. Usage: demo.sh [PATH-OF-MIRROR]
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
mirror=$(realpath "${1:-$top/.build/debug/mirror}")
# shellcheck source=Tests/Setup/nginx.sh
. "$top/Tests/Setup/nginx.sh"

folder=$(mktemp -d "${TMPDIR:-/tmp}/mirror-demo.XXXXXX")
finish() {
    local status=$?
    # A second signal must not interrupt the cleaning up.
    trap - EXIT
    trap '' INT TERM HUP
    stop_nginx
    rm -rf "$folder"
    [ "$status" = 0 ] || echo "demo: ended with $status; the server is stopped, the folder removed." >&2
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

heading() { printf '\n== %s\n\n' "$1"; }

# make_file PATH FIRST BYTES: numbers from FIRST on, so that no two places of a file look alike and a byte that lands in
# the wrong one shows. The contents are the same in every run: the manifest knows a checksum.
make_file() { (set +o pipefail; seq "$2" 99999999 | head -c "$3" >"$1"); }

make_remote() {
    mkdir -p "$folder/www/pub" "$folder/www/alternate"
    make_file "$folder/www/pub/missing.img" 10000000 8388608
    make_file "$folder/www/pub/short.img" 20000000 8388608
    make_file "$folder/www/pub/equal.img" 30000000 1048576
    make_file "$folder/www/pub/larger.img" 40000000 1048576
    make_file "$folder/www/pub/changed.img" 50000000 1048576
    touch -d '2 days ago' "$folder"/www/pub/*
    cp -p "$folder/www/pub/changed.img" "$folder/www/alternate/"
}

# The times matter: a local file that is older than the server's Last-Modified counts as changed.
make_local() {
    mkdir -p "$folder/local/images"
    head -c 4194304 "$folder/www/pub/short.img" >"$folder/local/short.img"
    cp -p "$folder/www/pub/equal.img" "$folder/local/"
    make_file "$folder/local/larger.img" 60000000 2000000
    make_file "$folder/local/images/changed.img" 70000000 1048576
    touch -d '30 days ago' "$folder/local/images/changed.img"
}

# Names as people give them: a page of links says «it%27s%20100%25.txt», the disk has to say what they meant.
make_tree() {
    mkdir -p "$folder/www/tree/2026/raw" "$folder/www/tree/notes"
    make_file "$folder/www/tree/catalogue.fits" 11000000 3145728
    make_file "$folder/www/tree/2026/night 1.fits" 12000000 1048576
    make_file "$folder/www/tree/2026/raw/frame#1.raw" 13000000 524288
    make_file "$folder/www/tree/notes/it's 100%.txt" 14000000 2000
    make_file "$folder/www/tree/notes/été.txt" 15000000 3000
    find "$folder/www/tree" -type f -exec touch -d '2 days ago' {} +
}

configure_nginx() {
    nginx_preamble
    cat <<'CONF'
events { }
http {
CONF
    nginx_http_preamble
    cat <<'CONF'
    log_format methods '$request_method $uri';
    access_log "@FOLDER@/access.log" methods;
    server {
        listen 127.0.0.1:@PORT@;
        root "@FOLDER@/www";
        location /tree/ { autoindex on; }
    }
}
CONF
}

show_mirror() { # ARGUMENT...: says the command as a user would type it, and runs it
    printf '$ mirror %s\n\n' "${*/#$folder\//}"
    (cd "$folder" && "$mirror" "$@")
}

make_remote
make_local
make_tree
configure_nginx >"$folder/nginx.conf.in"
start_nginx "$folder" 18080

heading "A server and a destination"
cat <<TEXT
nginx serves five files at http://127.0.0.1:$nginx_port/pub/. In the destination:

  missing.img          is not there                          -> fetch
  short.img            has only the first half of its 8 MiB  -> resume
  equal.img            has the right size                    -> skip
  larger.img           is larger than on the server          -> delete, and fetch anew
  images/changed.img   has the size, the server's is newer   -> replace
TEXT

cp "$top/manifests/demo.txt" "$folder/demo.txt"
if [ "$nginx_port" != 18080 ]; then
    sed -i "s|127\.0\.0\.1:18080/|127.0.0.1:$nginx_port/|g" "$folder/demo.txt"
    printf '\nPort 18080 is taken: this runs a copy of manifests/demo.txt with port %s.\n' "$nginx_port"
fi

heading "1. The dry run: what would be done"
show_mirror sync demo.txt -d local --dry-run
[ ! -e "$folder/local/.mirror" ] || { echo "demo: the dry run left something behind" >&2; exit 1; }

heading "2. The run"
show_mirror sync demo.txt -d local

heading "3. Every byte compared with the server's files"
for name in missing.img short.img equal.img larger.img; do
    cmp "$folder/www/pub/$name" "$folder/local/$name"
done
cmp "$folder/www/pub/changed.img" "$folder/local/images/changed.img"
echo "All five files are identical."

heading "4. The same command again: nothing left to do"
requests=$(wc -l <"$folder/access.log")
show_mirror sync demo.txt -d local
stop_nginx
tail -n "+$((requests + 1))" "$folder/access.log" >"$folder/last.log"
heads=$(grep -c '^HEAD ' "$folder/last.log" || true)
gets=$(grep -c '^GET ' "$folder/last.log" || true)
printf '\nThe server was asked with %s HEAD and %s GET.\n' "$heads" "$gets"
[ "$heads $gets" = "5 0" ] || { echo "demo: 5 HEAD and no GET were expected" >&2; exit 1; }

heading "5. A whole folder, by its index"
start_nginx "$folder" "$nginx_port"
index=http://127.0.0.1:$nginx_port/tree/
show_mirror sync "$index" -d copy
diff -r --exclude=.mirror "$folder/www/tree" "$folder/copy"
printf '\nThe two trees are identical, names and bytes:\n\n'
(cd "$folder/copy" && find . -type f -not -path './.mirror/*' | sort | sed 's|^\./|  |')

heading "6. The server gives up a file; --delete follows, for what mirror fetched itself"
rm "$folder/www/tree/catalogue.fits"
echo 'my own notes' >"$folder/copy/mine.txt"
show_mirror sync "$index" -d copy --delete
[ ! -e "$folder/copy/catalogue.fits" ] || { echo "demo: the file is still there" >&2; exit 1; }
[ -e "$folder/copy/mine.txt" ] || { echo "demo: a file of somebody else is gone" >&2; exit 1; }
printf '\ncatalogue.fits is gone; mine.txt, which mirror never fetched, is still there.\n'
stop_nginx
printf '\nThe demo is over: the server is stopped, its folder removed.\n'
