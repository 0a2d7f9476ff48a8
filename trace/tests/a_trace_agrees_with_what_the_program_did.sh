#!/usr/bin/env bash
# Everything that began has ended, phases come in their order, and there are as many iterations and
# callbacks of each kind as the program has counted itself.
. trace/tests/common.bash
PHASOR_TRACE=file "$program" all | sort >counted
"$events" file | sort >recorded
diff counted recorded || fail "the recording says something else"
PHASOR_TRACE=file "$program" threads 3
"$events" file >/dev/null
PHASOR_TRACE=file "$program" clock 50 >/dev/null
"$events" file >recorded
says recorded "timer_cb 50"
