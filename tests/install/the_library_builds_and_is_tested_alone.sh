#!/usr/bin/env bash
# lib/ needs nothing else of the repository: copied to another place, it builds, its tests pass, and
# a program that wants a recording is told that there is no recorder.
set -euo pipefail
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-alone-XXXXXX")
trap 'rm -rf "$temp"' EXIT
fail() {
    echo "$1" >&2
    exit 1
}
cp -r lib "$temp/loop"
out=$temp/out
cmake -S "$temp/loop" -B "$out" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG= >"$temp/log" 2>&1 &&
    cmake --build "$out" --parallel 2 --target uv uv_a test_unit_clock test_behaviour_timer \
        test_faults_clock >>"$temp/log" 2>&1 || {
    tail -50 "$temp/log" >&2
    fail "cmake -S lib does not work alone"
}
[ -f "$out/lib/libuv.so.1" ] && [ -f "$out/lib/libuv.a" ] || fail "a library is missing"
chosen='^(unit\.clock|behaviour\.timer|faults\.clock)\.'
ctest --test-dir "$out" -R "$chosen" >"$temp/tests" 2>&1 || {
    cat "$temp/tests" >&2
    fail "its tests fail"
}
grep -q '100% tests passed' "$temp/tests" || fail "no test was run"

cat >"$temp/program.c" <<'END'
#include <stdio.h>
#include <phasor.h>
#include <uv.h>
int main(void) {
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    puts(uv_err_name(phasor_trace_start("never")));
    return phasor_trace_stop() != 0 || phasor_trace_active() || phasor_trace_name("a", NULL, 0);
}
END
gcc -Ilib/include "$temp/program.c" -o "$temp/program" -L"$out/lib" -luv
cd "$temp"
said=$(PHASOR_TRACE=$temp/a.trace LD_LIBRARY_PATH=$out/lib ./program 2>"$temp/errors") ||
    fail "a program fails without the recorder"
[ "$said" = ENOSYS ] || fail "phasor_trace_start says $said"
grep -q "can't record in $temp/a.trace: there is no phasor/libphasor-trace.so" "$temp/errors" ||
    fail "nobody says that nothing is recorded: $(cat "$temp/errors")"
[ ! -e "$temp/a.trace" ] && [ ! -e "$temp/never" ] || fail "there is a recording"
