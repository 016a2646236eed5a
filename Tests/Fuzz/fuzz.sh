#!/usr/bin/env bash
# Runs libFuzzer at every door, or at those named, each for so many seconds, two at once: fuzz.sh SECONDS [DOOR...]
# It starts from the inputs in Tests/Fuzz and from what earlier runs learnt. What breaks a door is left in
# .build/fuzz/finds, and then this fails.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-60}
shift || true
build=.build/fuzz
finds=$build/finds
export MIRROR_FUZZ=1

# lld, since gold gives up on these programs.
"${SWIFT:-swift}" build -c release --product fuzzer --scratch-path "$build" -j 2 \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld
fuzzer=$build/release/fuzzer
doors=("$@")
[ ${#doors[@]} -gt 0 ] || mapfile -t doors < <("$fuzzer")

rm -rf "$finds"
mkdir -p "$finds"
# Memory that libFuzzer and Swift's runtime never give back is no find; each input's own leaks are.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
# Swift's own crash handler reads memory that AddressSanitizer does not let it read.
export SWIFT_BACKTRACE=enable=no

try() {
    local door=$1 learnt=$build/corpus/$1 log=$build/$1.log status=0
    mkdir -p "$learnt"
    MIRROR_FUZZ_TARGET=$door "$fuzzer" "$learnt" "Tests/Fuzz/$door" -dict=Tests/Fuzz/words.dict \
        -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$finds/$door-" >"$log" 2>&1 || status=$?
    if [ "$status" = 0 ]; then
        echo "$door: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs," \
            "$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1)"
        return
    fi
    echo "$door: a find, which is in $finds" >&2
    grep -aE 'broken promise|Fatal error|ERROR:|Test unit written' "$log" | cut -c 1-400 | tail -n 5 >&2 || tail -n 20 "$log" >&2
    return 1
}
export -f try
export build fuzzer finds seconds
# Two at once: each takes one core.
printf '%s\n' "${doors[@]}" | xargs -P 2 -I DOOR bash -c 'try DOOR'
