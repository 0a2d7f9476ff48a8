#!/usr/bin/env bash
# test.sh BUILD: every test on the release build, then under the address and undefined-behaviour
# sanitizers, then the threaded ones under the thread sanitizer, then the programs about the order
# of callbacks on an engine without our changes. The last line counts all of them.
set -euo pipefail
build=$1
passed=0
failed=0
skipped=0

count() { # count PATTERN LOG: the tests whose result line goes on with the pattern
    grep -cE "^ *[0-9]+/[0-9]+ Test $1" "$2" || true
}

run() { # run NAME FOLDER [CTEST OPTIONS...]
    local name=$1 folder=$2 log status=0
    shift 2
    log=$folder/tests.log
    echo "Testing: $name"
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
    passed=$((passed + total - ran_failed - ran_skipped))
    failed=$((failed + ran_failed))
    skipped=$((skipped + ran_skipped))
}

mkdir -p "$build"
export TARGETS="all tests/all"
scripts/build.sh "$build"
run "release build" "$build"
scripts/build.sh "$build/asan" -DPHASOR_SANITIZE=address -DCMAKE_BUILD_TYPE=Debug
ASAN_OPTIONS=detect_stack_use_after_return=1 run "address and undefined sanitizers" "$build/asan"
scripts/build.sh "$build/tsan" -DPHASOR_SANITIZE=thread -DCMAKE_BUILD_TYPE=Debug \
    -DPHASOR_RUNTIME=OFF
TSAN_OPTIONS=halt_on_error=1 run "thread sanitizer" "$build/tsan" -L threaded
TARGETS=phasor scripts/build.sh "$build/plain" -DPHASOR_ENGINE_CHANGES=OFF -DCMAKE_BUILD_TYPE=Debug
run "runtime on the engine as it is" "$build/plain" -L order

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
