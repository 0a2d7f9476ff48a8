#!/usr/bin/env bash
# test.sh BUILD: every test on the release build, then under the address and undefined-behaviour
# sanitizers, then the threaded ones under the thread sanitizer, then the programs about the order
# of callbacks on an engine without our changes. The last line counts all of them.
set -euo pipefail
build=$1
passed=0
failed=0
skipped=0
wrongly_skipped=no

count() { # count PATTERN LOG: the tests whose result line goes on with the pattern
    grep -cE "^ *[0-9]+/[0-9]+ Test $1" "$2" || true
}

# ctest begins with those that took longest the last time; in a new folder it learns that here.
begin_with_the_slow_ones() {
    local known=$1/Testing/Temporary/CTestCostData.txt
    [ ! -e "$known" ] || return 0
    mkdir -p "$(dirname "$known")"
    { sed -n 's/^\([a-z][^ ]*\) \([0-9]*\)$/\1 1 \2/p' tests/slow.txt && echo ---; } >"$known"
}

run() { # run BUILD NAME FOLDER [CTEST OPTIONS...]; BUILD is what tests/skips.txt calls it
    local kind=$1 name=$2 folder=$3 log status=0
    shift 3
    log=$folder/tests.log
    echo "Testing: $name"
    begin_with_the_slow_ones "$folder"
    ctest --test-dir "$folder" --parallel "$(($(nproc) * 2))" --output-on-failure --no-tests=error \
        "$@" >"$log" 2>&1 || status=$?
    local total ran_failed ran_skipped
    total=$(count '' "$log")
    ran_skipped=$(count '.*\*\*\*Skipped' "$log")
    ran_failed=$(count '.*\*\*\*(Failed|Timeout|Exception|Not Run)' "$log")
    if [ "$status" != 0 ]; then
        grep -vE '^ +Start +[0-9]+:| Passed +[0-9.]+ sec$' "$log" |
            sed -n '/\*\*\*/,$p' | head -n 300 || true
        [ "$ran_failed" -gt 0 ] || ran_failed=1
    fi
    if ! python3 -B scripts/skips.py "$log" "$kind"; then
        wrongly_skipped=yes
    fi
    passed=$((passed + total - ran_failed - ran_skipped))
    failed=$((failed + ran_failed))
    skipped=$((skipped + ran_skipped))
}

mkdir -p "$build"
export TARGETS="all tests/all"
scripts/build.sh "$build"
run release "release build" "$build"
scripts/build.sh "$build/asan" -DPHASOR_SANITIZE=address -DCMAKE_BUILD_TYPE=Debug
ASAN_OPTIONS=detect_stack_use_after_return=1 \
    run address "address and undefined sanitizers" "$build/asan"
scripts/build.sh "$build/tsan" -DPHASOR_SANITIZE=thread -DCMAKE_BUILD_TYPE=Debug \
    -DPHASOR_RUNTIME=OFF
TSAN_OPTIONS=halt_on_error=1 run thread "thread sanitizer" "$build/tsan" -L threaded
TARGETS=phasor scripts/build.sh "$build/plain" -DPHASOR_ENGINE_CHANGES=OFF -DCMAKE_BUILD_TYPE=Debug
run plain "runtime on the engine as it is" "$build/plain" -L order

echo "$passed passed, $failed failed, $skipped skipped"
if [ $wrongly_skipped = yes ]; then
    echo "Some of the skipped ones may not be skipped here (tests/skips.txt)."
    exit 1
fi
[ "$failed" = 0 ]
