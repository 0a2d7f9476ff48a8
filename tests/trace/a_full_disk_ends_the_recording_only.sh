#!/usr/bin/env bash
# The program goes on and ends as it would; the file says what happened, and is readable.
. tests/trace/common.bash
unset LD_LIBRARY_PATH
(
    ulimit -f 40 # blocks of 1024 bytes
    expect 1 "$phasor" trace -o file "$program" clock 4000
    says err "ended early: File too large"
    says out ticking
)
[ "$(stat -c %s file)" -le 40960 ] || fail "$(stat -c %s file) bytes"
"$events" file cut >/dev/null
expect 0 "$phasor" report file
says out "could not be written: File too large"
