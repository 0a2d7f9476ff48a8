#!/usr/bin/env bash
# What the program prints and how it ends are the same as without recording.
. trace/tests/common.bash
unset LD_LIBRARY_PATH
expect 0 "$phasor" trace -o file -- "$program" turns 3
[ ! -s out ] || fail "prints: $(cat out)"
says err "recorded process"
expect 5 "$phasor" trace -- "$program" exit 5
(ulimit -c 0; expect 134 "$phasor" trace -- "$program" crash)
expect 0 "$phasor" trace -- "$build/examples/phases"
diff "$source/examples/phases.out" out || fail "prints something else"

record_clock() {
    "$phasor" trace -o clock.trace "$program" clock >ticking 2>err &
    children+=($!)
    wait_for 20 test -s ticking
    children+=($(cat /proc/$!/task/$!/children))
}

record_clock
kill -TERM $!
status=0
wait $! || status=$?
[ $status = 0 ] || fail "ended with $status: $(cat err)"
"$events" clock.trace >recorded
says recorded "signal_cb 1"

record_clock
kill -USR1 $!
status=0
wait $! || status=$?
[ $status = $((128 + 10)) ] || fail "ended with $status: $(cat err)"
