#!/usr/bin/env bash
# Neither kill -9 nor a crash loses anything that matters.
. trace/tests/common.bash
PHASOR_TRACE=killed "$program" clock >ticking &
children+=($!)
wait_for 20 test -s ticking
sleep 1
kill -9 $!
wait $! 2>/dev/null || true
"$events" killed cut >recorded
[ "$(awk '$1 == "timer_cb" { print $2 }' recorded)" -gt 20 ] || fail "lost: $(cat recorded)"
expect 0 "$phasor" report killed
says out "was killed, or left without the usual steps"

# A loop that has nothing left to do is written out at once, whatever the program does next.
PHASOR_TRACE=left "$program" leave
"$events" left cut >recorded
says recorded "iterations 6"

(ulimit -c 0; PHASOR_TRACE=crashed "$program" crash >/dev/null 2>&1) && fail "it did not crash"
"$events" crashed cut >/dev/null
expect 0 "$phasor" report crashed
says out "which had not returned when the recording ended"
says out "uv_timer_cb on_crash"

# At once, by a fault, by a signal and by abort.
for way in fault crash abort; do
    (ulimit -c 0; PHASOR_TRACE=soon "$build/tests/trace/endings" $way) >/dev/null 2>&1 &&
        fail "$way: it did not crash"
    [ -z "$sanitizer" ] || continue # which have handlers of their own
    "$events" soon cut >recorded
    says recorded "timer_cb 1"
done
