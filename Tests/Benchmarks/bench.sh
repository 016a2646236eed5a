#!/usr/bin/env bash
# Measures mirror beside the tools that a user would otherwise take: same list, same server, same run, the contenders
# taking turns. What counts is the ratio, not the seconds. Prints Markdown tables. Fails when a command fails or leaves
# wrong files, but not for being slow unless --assert is given. Cases:
#
#   small    10,000 files of 4 KiB into an empty folder       curl -Z, and curl -Z followed by sync
#   again    a second run over them, nothing changed          wget2 -N
#   large    one file of 1 GiB                                curl -o, and curl -o followed by sync
#   slow     8 MiB at 1 MiB/s for each connection, 4 ranges   aria2c with the same 4, and curl with one connection
#   index    a listing of 100,000 files, read and printed     libxml2's own SAX parser with callbacks that do nothing
#
# index counts processor time of the user and not time on the clock, and it needs no server: the page is a file.
#
# mirror has a file on the disk before the file takes its name, curl leaves that to the kernel; so on a disk the
# contender to compare with is the one followed by sync. small, again and large run on the disk of the temporary folder
# ($TMPDIR, else /tmp) and in memory (/dev/shm).
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: bench.sh [--rounds N] [--only CASE,...] [--files N] [--mebibytes N] [--assert] [PATH-OF-MIRROR]
  --rounds N       rounds of each case, default 5
  --only CASE,...  of small, again, large, slow, index; default all
  --files N        small files, default 10000
  --mebibytes N    size of the large file, default 1024
  --entries N      entries of a listing, default 100000
  --assert         end with 1 when a bar is missed
TEXT
}

top=$(cd "$(dirname "$0")/../.." && pwd)
rounds=5 only=small,again,large,slow,index files=10000 mebibytes=1024 entries=100000 assert=''
mirror=$top/.build/release/mirror
while [ $# -gt 0 ]; do
    case $1 in
        --rounds) rounds=$2; shift ;;
        --only) only=$2; shift ;;
        --files) files=$2; shift ;;
        --mebibytes) mebibytes=$2; shift ;;
        --entries) entries=$2; shift ;;
        --assert) assert=yes ;;
        -h | --help) usage; exit 0 ;;
        -*) usage >&2; exit 2 ;;
        *) mirror=$1 ;;
    esac
    shift
done
mirror=$(realpath "$mirror")
# shellcheck source=Tests/Setup/nginx.sh
. "$top/Tests/Setup/nginx.sh"

disk=$(mktemp -d "${TMPDIR:-/tmp}/mirror-bench.XXXXXX")
memory=
finish() {
    local status=$?
    # A second signal must not interrupt the cleaning up.
    trap - EXIT
    trap '' INT TERM HUP
    stop_nginx
    rm -rf "$disk" ${memory:+"$memory"}
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# ---- The server

configure_nginx() {
    nginx_preamble
    cat <<'CONF'
events { worker_connections 1024; }
http {
CONF
    nginx_http_preamble
    cat <<'CONF'
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    server {
        listen 127.0.0.1:@PORT@;
        root "@FOLDER@/www";
        location /slow/ { limit_rate 1m; }
    }
}
CONF
}

make_remote() {
    mkdir -p "$disk/www/small" "$disk/www/large" "$disk/www/slow"
    head -c $((files * 4096)) /dev/urandom |
        (cd "$disk/www/small" && split -b 4096 -a 6 -d --additional-suffix=.bin - f)
    head -c "${mebibytes}M" /dev/urandom >"$disk/www/large/large.bin"
    head -c 8M /dev/urandom >"$disk/www/slow/slow.bin"
    # Older than any copy, so that nothing counts as changed.
    find "$disk/www" -type f -exec touch -d '2 days ago' {} +
}

make_lists() {
    local base=http://127.0.0.1:$nginx_port name
    for name in small large slow; do
        find "$disk/www/$name" -type f -printf "$base/$name/%f\n" | sort >"$disk/$name.txt"
    done
    sed 's/.*/url = "&"/' "$disk/small.txt" >"$disk/small.curl"
}

# ---- The contenders. Each is called with FOLDER, its place to write to, and runs in it.

mirror_small() { "$mirror" sync "$disk/small.txt" -d . -j 16 -x 16 -q; }
curl_small() { curl -sS -Z --parallel-max 16 --remote-name-all -K "$disk/small.curl"; }
curl_small_sync() { curl_small && sync -f .; }

mirror_again() { mirror_small; }
wget2_again() { wget2 -q -N --max-threads=16 -i "$disk/small.txt"; }

mirror_large() { "$mirror" sync "$disk/large.txt" -d . -q; }
curl_large() { curl -sS -o large.bin "http://127.0.0.1:$nginx_port/large/large.bin"; }
curl_large_sync() { curl_large && sync large.bin; }

mirror_slow() { "$mirror" sync "$disk/slow.txt" -d . -s 4 -x 4 -k 1M -q; }
aria2c_slow() { aria2c -q -s 4 -x 4 -k 1M "http://127.0.0.1:$nginx_port/slow/slow.bin"; }
curl_slow() { curl -sS -o slow.bin "http://127.0.0.1:$nginx_port/slow/slow.bin"; }

# ---- Measuring

export mirror disk nginx_port
export -f mirror_small curl_small curl_small_sync mirror_again wget2_again
export -f mirror_large curl_large curl_large_sync mirror_slow aria2c_slow curl_slow

# measure CASE PLACE ROUND CONTENDER FOLDER: appends a row of milliseconds and peak KiB to the results; not for round 0.
measure() {
    local start end peak
    sync -f "$5"
    start=${EPOCHREALTIME/[.,]/}
    (cd "$5" && /usr/bin/time -f %M -o "$disk/peak" bash -c "$4" >"$disk/output" 2>&1) || {
        echo "bench: $4 failed in case $1 ($2):" >&2
        head -n 20 "$disk/output" >&2
        exit 1
    }
    end=${EPOCHREALTIME/[.,]/}
    [ "$3" != 0 ] || return 0
    peak=$(tail -n 1 "$disk/peak")
    printf '%s\t%s\t%s\t%s\t%s.%03d\t%s\n' "$1" "$2" "$3" "$4" \
        $(((end - start) / 1000)) $(((end - start) % 1000)) "$peak" >>"$disk/results"
}

check_files() { # CASE FOLDER
    local remote=$1
    [ "$remote" != again ] || remote=small
    diff -rq --exclude=.mirror "$disk/www/$remote" "$2" >&2 || {
        echo "bench: case $1 left wrong files" >&2
        exit 1
    }
}

# race CASE PLACE FOLDER CONTENDER...: every round runs all of them, starting with another one each time. Round 0 is not
# counted: it warms the caches, and shows that every contender leaves the right files. A case that fetches gives each
# an empty folder every time; `again` gives each the folder that it filled in round 0.
race() {
    local name=$1 place=$2 folder=$3/$1 round i contender
    shift 3
    local contenders=("$@") count=$#
    echo "bench: $name, $place" >&2
    for ((round = 0; round <= rounds; round++)); do
        for ((i = 0; i < count; i++)); do
            contender=${contenders[(round + count - 1 + i) % count]}
            mkdir -p "$folder/$contender"
            measure "$name" "$place" "$round" "$contender" "$folder/$contender"
            [ "$round" != 0 ] || check_files "$name" "$folder/$contender"
            [ "$name" = again ] || rm -rf "${folder:?}/$contender"
        done
    done
    rm -rf "$folder"
}

is_wanted() { [[ ",$only," == *",$1,"* ]]; }

race_all() { # PLACE FOLDER
    local small=(mirror_small curl_small) large=(mirror_large curl_large)
    # In memory there is nothing to sync.
    if [ "$1" = disk ]; then
        small+=(curl_small_sync)
        large+=(curl_large_sync)
    fi
    if is_wanted small; then race small "$1" "$2" "${small[@]}"; fi
    if is_wanted again; then race again "$1" "$2" mirror_again wget2_again; fi
    if is_wanted large; then race large "$1" "$2" "${large[@]}"; fi
}

# ---- Listings

make_listings() {
    mkdir "$disk/listings"
    awk -v count="$entries" -v folder="$disk/listings" 'BEGIN {
        html = folder "/nginx.html"; xml = folder "/nginx.xml"; bucket = folder "/bucket.xml"
        printf "<html>\r\n<head><title>Index of /pub/</title></head>\r\n<body>\r\n" >html
        printf "<h1>Index of /pub/</h1><hr><pre><a href=\"../\">../</a>\r\n" >html
        printf "<?xml version=\"1.0\"?>\n<list>\n" >xml
        printf "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult xmlns=\"%s\"><Name>pub</Name>",
            "http://s3.amazonaws.com/doc/2006-03-01/" >bucket
        printf "<Prefix></Prefix><MaxKeys>%d</MaxKeys><IsTruncated>false</IsTruncated>", count >bucket
        for (i = 0; i < count; i++) {
            name = sprintf("observation-%06d.fits", i)
            printf "<a href=\"%s\">%s</a>%*s29-Feb-2024 23:59%20d\r\n", name, name, 51 - length(name), "", i * 7 >html
            printf "<file mtime=\"2024-02-29T23:59:58Z\" size=\"%d\">%s</file>\n", i * 7, name >xml
            printf "<Contents><Key>%s</Key><LastModified>2024-02-29T23:59:58.000Z</LastModified>", name >bucket
            printf "<ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>%d</Size>", i * 7 >bucket
            printf "<StorageClass>STANDARD</StorageClass></Contents>" >bucket
        }
        printf "</pre><hr></body>\r\n</html>\r\n" >html
        printf "</list>\n" >xml
        printf "</ListBucketResult>\n" >bucket
    }'
    local flags
    read -ra flags <<<"$(pkg-config --cflags --libs libxml-2.0)"
    cc -O2 -o "$disk/html-sax" "$top/Tests/Benchmarks/html-sax.c" "${flags[@]}"
}

list_listing() { "$mirror" list "$1" --base http://127.0.0.1/pub/; }
sax_listing() { if [[ $1 = *.html ]]; then "$disk/html-sax" "$1"; else xmllint --stream --noout "$1"; fi; }
# The clock of the user's time has steps of 10 ms: one such step must be little.
ten_times() { local i; for ((i = 0; i < 10; i++)); do "$@" || return; done; }

# measure_listing CONTENDER FILE: prints milliseconds of one reading and peak KiB.
measure_listing() {
    /usr/bin/time -f '%U %M' -o "$disk/cost" bash -c 'ten_times "$@"' - "$@" >"$disk/output" || {
        echo "bench: $1 failed on $2" >&2
        exit 1
    }
    awk 'END { print $1 * 100, $2 }' "$disk/cost"
}

race_listings() {
    local file round cost
    export -f list_listing sax_listing ten_times
    for file in "$disk"/listings/*; do
        echo "bench: index, ${file##*/}" >&2
        for ((round = 0; round <= rounds; round++)); do
            for contender in sax_listing list_listing; do
                cost=$(measure_listing "$contender" "$file")
                [ "$round" = 0 ] || echo "${file##*/} $round $contender $cost" >>"$disk/listing-results"
            done
        done
        [ "$(grep -c '^http' "$disk/output")" = $((entries * 10)) ] || {
            echo "bench: mirror list lost entries of ${file##*/}" >&2
            exit 1
        }
    done
}

# The ratio is the median of the rounds' own; the memory is the most of any round. The bars: 1.5 times the user's
# time, and 30 MiB with 400 bytes for each entry. Two of the times are above their bar: that is printed, and fails
# nothing.
print_listing_table() {
    printf '\n| listing of %d | libxml2 ms | mirror ms | ratio | bar | | peak MiB | bar | |\n' "$entries"
    echo '|---|---:|---:|---:|---|---|---:|---|---|'
    awk -v entries="$entries" '
        { ms[$1, $2, $3] = $4; names[$1]; if ($2 > rounds) rounds = $2
          if ($3 == "list_listing" && $5 > peak[$1]) peak[$1] = $5 }
        function median(values, n, i, j, swap) {
            for (i = 2; i <= n; i++)
                for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
                    swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
                }
            return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
        }
        # What is known to be above its bar fails only where it has become worse than that.
        function verdict(value, bar, floor) {
            if (value <= bar) return "met"
            if (value <= floor) return "missed, as is known"
            missed = 1
            return "MISSED"
        }
        END {
            known["nginx.html"] = 2.2; known["nginx.xml"] = 2.8
            room = 30 + 400 * entries / 1048576
            for (name in names) {
                for (r = 1; r <= rounds; r++) {
                    sax[r] = ms[name, r, "sax_listing"]; own[r] = ms[name, r, "list_listing"]
                    ratios[r] = own[r] / sax[r]
                }
                ratio = median(ratios, rounds); used = peak[name] / 1024
                printf "| %s | %.0f | %.0f | %.2f | 1.5 | %s | %.1f | %.1f | %s |\n", name, median(sax, rounds),
                    median(own, rounds), ratio, verdict(ratio, 1.5, known[name]), used, room, verdict(used, room, 0)
            }
            exit missed
        }' "$disk/listing-results"
}

# ---- The tables

# The bars: case, place, contender, and what mirror's time must be below, as a multiple of the contender's. For the
# contender mirror itself: the seconds and the peak MiB that it must stay below.
bars() {
    cat <<'TEXT'
small disk curl_small 1
small memory curl_small 1
again disk wget2_again 2
again memory wget2_again 2
large disk curl_large_sync 1
large memory curl_large 1
small disk mirror_small - 60
small memory mirror_small - 60
again disk mirror_again - 60
again memory mirror_again - 60
large disk mirror_large - 60
large memory mirror_large - 60
slow disk mirror_slow 3 60
TEXT
}

# Medians of the rounds. The ratio is the median of the rounds' own ratios: both of its times were taken close together
# on a machine that may have other work.
print_table() {
    bars >"$disk/bars"
    awk -F '\t' '
        function median(list, values, n, i, j, swap) {
            n = split(list, values, " ")
            for (i = 2; i <= n; i++)
                for (j = i; j > 1 && values[j - 1] + 0 > values[j] + 0; j--) {
                    swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
                }
            return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
        }
        function verdict(value, bar) { if (value < bar) return "met"; missed = 1; return "MISSED" }
        FNR == NR {
            split($0, f, " "); key = f[1] FS f[2] FS f[3]
            bar[key] = f[4]; peakBar[key] = f[5]
            next
        }
        {
            key = $1 FS $2 FS $4
            if (!(key in times)) order[++count] = key
            times[key] = times[key] " " $5; peaks[key] = peaks[key] " " $6
            time[key, $3] = $5
            if ($3 > rounds) rounds = $3
        }
        END {
            print "| case | place | contender | median ms | peak MiB | mirror / contender | bar | |"
            print "|---|---|---|---:|---:|---:|---|---|"
            for (k = 1; k <= count; k++) {
                key = order[k]; split(key, f, FS)
                own = f[1] FS f[2] FS "mirror_" f[1]
                ms = median(times[key]); peak = median(peaks[key]) / 1024
                ratio = ""; text = ""; result = ""
                if (key == own) {
                    if (peakBar[key] != "") {
                        text = "< " peakBar[key] " MiB"; result = verdict(peak, peakBar[key])
                    }
                    if (bar[key] + 0 > 0) {
                        text = text ", < " bar[key] " s"; result = result ", " verdict(ms / 1000, bar[key])
                    }
                } else {
                    ratios = ""
                    for (r = 1; r <= rounds; r++) ratios = ratios " " time[own, r] / time[key, r]
                    value = median(ratios); ratio = sprintf("%.2f", value)
                    if (key in bar) { text = "< " bar[key]; result = verdict(value, bar[key]) }
                }
                printf "| %s | %s | %s | %.0f | %.1f | %s | %s | %s |\n", f[1], f[2], f[3], ms, peak, ratio, text, result
            }
            exit missed
        }' "$disk/bars" "$disk/results"
}

print_raw() {
    printf '\n| case | place | round | contender | ms | peak KiB |\n|---|---|---:|---|---:|---:|\n'
    sed -e 's/\t/ | /g' -e 's/.*/| & |/' "$disk/results"
}

race_servers() {
    local needed
    make_remote
    configure_nginx >"$disk/nginx.conf.in"
    start_nginx "$disk" 18180
    make_lists
    race_all disk "$disk"
    if is_wanted slow; then race slow disk "$disk" mirror_slow aria2c_slow curl_slow; fi
    # Two copies of the large file and both sets of small ones at once.
    needed=$(((mebibytes * 2 + files * 4 * 2 / 1024 + 256) * 1024))
    if [ "$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt "$needed" ] 2>/dev/null; then
        memory=$(mktemp -d /dev/shm/mirror-bench.XXXXXX)
        race_all memory "$memory"
    else
        echo "bench: /dev/shm has too little room; only the disk is measured" >&2
    fi
}

missed=
if is_wanted index; then
    make_listings
    race_listings
fi
if [ "$only" != index ]; then
    race_servers
    print_table || missed=yes
    print_raw
fi
if is_wanted index; then print_listing_table || missed=yes; fi
[ -z "$assert" ] || [ -z "$missed" ]
