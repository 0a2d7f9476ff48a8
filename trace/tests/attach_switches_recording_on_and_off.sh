#!/usr/bin/env bash
# In a running process, twice, with messages for everything that can be wrong.
. trace/tests/common.bash
"$program" clock >ticking &
clock=$!
children+=($clock)
wait_for 20 test -s ticking
if ! "$phasor" attach $clock -o first >out 2>err; then
    says err "no permission to look into process $clock"
    [ "$(id -u)" != 0 ] || fail "root may not look into its own process: $(cat err)"
    skip "this user may not look into its own processes"
fi
says err "recording process $clock in $PWD/first"
expect 1 "$phasor" attach $clock
says err "is being recorded already, in $PWD/first"
sleep 0.3
expect 0 "$phasor" attach $clock --stop
says err "recorded in $PWD/first"
expect 1 "$phasor" attach $clock --stop
says err "is not being recorded"
"$events" first >recorded
grep -q '^timer_cb' recorded || fail "$(cat recorded)"
expect 0 "$phasor" report first
says out "uv_timer_cb on_tick"

expect 1 "$phasor" attach $clock -o /no/such/folder/file
says err "can't write /no/such/folder/file: No such file"
expect 0 "$phasor" attach $clock --limit 256K
sleep 0.3
expect 0 "$phasor" attach $clock --stop
"$events" phasor-$clock.trace cut >/dev/null
kill $clock
wait $clock

sleep 30 &
children+=($!)
expect 1 "$phasor" attach $!
says err "process $! has not loaded libuv.so.1"
kill $!
wait $! 2>/dev/null || true
expect 1 "$phasor" attach $clock
says err "there is no process $clock"
expect 2 "$phasor" attach
expect 2 "$phasor" attach 12x
expect 2 "$phasor" attach 12 --nonsense
if [ "$(id -u)" = 0 ] && [ -z "$sanitizer" ] && command -v setpriv >/dev/null &&
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$phasor"; then
    expect 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$phasor" attach $$
    says err "no permission to look into process $$"
fi
