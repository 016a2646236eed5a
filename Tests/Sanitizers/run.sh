#!/usr/bin/env bash
# Runs the whole suite under a sanitizer: address (which finds leaks too) or thread. It has a build folder of its own.
# Whatever a sanitizer says, in the test runner or in a binary that a test starts, is written to a file; one such
# file makes this fail, whatever the tests made of the exit code. SANITIZER_MORE adds options for the sanitizer, such as
# fast_unwind_on_malloc=0 for whole stacks through C libraries. Usage: run.sh address|thread [FLAGS OF swift test]
set -euo pipefail
cd "$(dirname "$0")/../.."

kind=$1
shift
swift=${SWIFT:-swift}
build=.build/$kind
reports=$PWD/$build/findings
rm -rf "$reports"
mkdir -p "$reports"

# An exit code of its own, so that no test takes it for one of the contract's.
common="${SANITIZER_MORE:+$SANITIZER_MORE:}log_path=$reports/$kind:exitcode=99:handle_abort=1"
case $kind in
    address)
        export ASAN_OPTIONS="$common:detect_leaks=1"
        export LSAN_OPTIONS="suppressions=$PWD/Tests/Sanitizers/leaks.supp:print_suppressions=0"
        ;;
    thread)
        export TSAN_OPTIONS="$common:halt_on_error=0:suppressions=$PWD/Tests/Sanitizers/races.supp:print_suppressions=0"
        ;;
    *) echo "run.sh: no sanitizer named '$kind' (address, thread)" >&2; exit 2 ;;
esac
# Under a sanitizer everything takes many times as long. Hundreds of tests at once on two threads would each wait for all
# others, and limits that are generous for one test run out: few run at once (an older Swift takes no notice of the
# width), the limits are longer, and sweeps over many like cases play every eighth (Allowance.swift).
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TEST_WIDTH:-4}
export MIRROR_TEST_ALLOWANCE=${MIRROR_TEST_ALLOWANCE:-10}

"$swift" build --build-tests --sanitize "$kind" --scratch-path "$build" -j 2
status=0
# No test here is one of XCTest, whose runner leaks its list of tests.
"$swift" test --disable-xctest --skip-build --sanitize "$kind" --scratch-path "$build" "$@" || status=$?

if compgen -G "$reports/*" >/dev/null; then
    echo "The $kind sanitizer has something to say:" >&2
    cat "$reports"/* >&2
    exit 1
fi
exit "$status"
