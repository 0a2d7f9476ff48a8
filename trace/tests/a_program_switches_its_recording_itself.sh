#!/usr/bin/env bash
# phasor_trace_start and phasor_trace_stop: what they return, and what is in the files.
. trace/tests/common.bash
"$program" switched >out
diff - out <<'END' || fail "other results"
start 0, again -114
stop 0, again 0
nowhere -2, none -22, active 0
start 0, active 1
END
"$events" one >recorded
says recorded "iterations 5"
"$events" two >recorded
says recorded "iterations 9"
