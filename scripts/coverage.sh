#!/usr/bin/env bash
# coverage.sh BUILD [--missed]: which lines and branches of the library the unit, behaviour and
# fault tests take, by file; --missed lists what they do not take. Fails if a test fails, or below
# lib/tests/coverage/floor.txt.
set -euo pipefail
build=$1/coverage
shift
mkdir -p "$build"
export TARGETS=proofs_of_the_library
scripts/build.sh "$build" -DPHASOR_COVERAGE=ON -DPHASOR_RUNTIME=OFF -DPHASOR_SIM=OFF \
    -DCMAKE_BUILD_TYPE=Debug

# Tests that change their user write their counters too.
counters=$(mktemp -d "${TMPDIR:-/tmp}/phasor-coverage-XXXXXX")
trap 'rm -rf "$counters"' EXIT
chmod 0777 "$counters"
umask 0
folder=$(realpath "$build")
slashes=${folder//[!\/]/}
export GCOV_PREFIX=$counters GCOV_PREFIX_STRIP=${#slashes} GCOV_ERROR_FILE=/dev/null
echo "Testing: unit, behaviour and fault tests"
log=$build/tests.log
status=0
ctest --test-dir "$build" --parallel "$(($(nproc) * 2))" --output-on-failure --no-tests=error \
    -L '^(unit|behaviour|faults)$' >"$log" 2>&1 || status=1
if [ "$status" != 0 ]; then
    grep -E -A 5 '\*\*\*(Failed|Timeout|Exception|Not Run)' "$log" | head -n 100
fi
unset GCOV_PREFIX GCOV_PREFIX_STRIP GCOV_ERROR_FILE
python3 -B scripts/coverage.py "$build" "$counters" "$@" || status=1
exit "$status"
