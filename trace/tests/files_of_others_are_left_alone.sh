#!/usr/bin/env bash
# A file that another process is recording in, and one that is no recording, stay as they are.
. trace/tests/common.bash
PHASOR_TRACE=file "$program" clock >ticking &
clock=$!
children+=($clock)
wait_for 20 test -s ticking
expect 1 "$phasor" trace -o file "$program" turns 3
says err "file: another process is recording in it"
kill $clock
wait $clock
"$events" file >recorded
grep -q '^timer_cb' recorded || fail "the recording is gone: $(cat recorded)"
expect 0 "$phasor" trace -o file "$program" turns 3
"$events" file >recorded
says recorded "iterations 3"

# By hand there is nobody to ask: the recording goes beside it.
echo precious >mine
PHASOR_TRACE=mine "$program" turns 3
[ "$(cat mine)" = precious ] || fail "the file is gone"
"$events" mine.* >recorded
says recorded "iterations 3"
