#!/usr/bin/env bash
# Of a process, which is recorded for that long only, and of a file that grows.
. trace/tests/common.bash
"$program" clock >ticking &
clock=$!
children+=($clock)
wait_for 20 test -s ticking
mkdir temporary
TMPDIR=$PWD/temporary expect 0 "$phasor" top $clock -n 3 --interval 0.3
[ "$(grep -c "utilisation" out)" = 3 ] || fail "$(cat out err)"
says out "uv_timer_cb on_tick"
expect 1 "$phasor" attach $clock --stop
says err "is not being recorded"
rmdir temporary || fail "something is still there: $(find temporary)"

expect 0 "$phasor" attach $clock -o file
expect 0 "$phasor" top file -n 2 --interval 0.3
[ "$(grep -c "utilisation" out)" -ge 1 ] || fail "$(cat out err)"
expect 0 "$phasor" top $clock -n 1
says out "on_tick"
expect 0 "$phasor" attach $clock --stop
kill $clock
wait $clock
expect 1 "$phasor" top no-such-file
expect 2 "$phasor" top
expect 2 "$phasor" top file -n x
