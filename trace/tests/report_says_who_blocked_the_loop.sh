#!/usr/bin/env bash
# The function's name, how long, and the timers that were late because of it.
. trace/tests/common.bash
PHASOR_TRACE=file "$program" blocked
expect 0 "$phasor" report file
# Without libdw there are no names.
name="parse_config( \\(program.c:[0-9]+\\))?|program\\+0x[0-9a-f]+"
said="The loop was blocked [0-9.]+ m?s at [0-9.]+ s by uv_fs_cb ($name)(, mostly [^;]*)?"
grep -qE "$said; 14 timers were late because of it" out ||
    fail "$(cat out)"
says out "99 % under"
says out "queue wait"
