#!/usr/bin/env bash
# A small recording and a report of each, named; nothing of a program that was never blocked; and
# the memory is given back. The program ends as it does alone.
. trace/tests/common.bash
[ -w /dev/shm ] || skip "there is no memory for the rings"
left() {
    ! ls -d /dev/shm/phasor-watch-"$1"-* >/dev/null 2>&1 || fail "memory was left behind"
}
"$phasor" watch --blocked 20ms --moments kept -- "$program" blocked >out 2>err &
watcher=$!
wait $watcher || fail "$(cat err)"
left $watcher
moments=(kept/stall-*.trace)
[ ${#moments[@]} -ge 1 ] && [ -s "${moments[0]}" ] || fail "$(cat err; ls -R)"
text=${moments[0]%.trace}.txt
# Without libdw there are no names.
name="parse_config|program\\+0x[0-9a-f]+"
grep -qE "process [0-9]+: the main loop was blocked for [0-9.]+ m?s: .*($name)" err ||
    fail "$(cat err)"
grep -qE "$name" "$text" || fail "$(cat "$text")"
says "$text" "a moment of a program that was watched"
[ "$(stat -c %a "${moments[0]}" "$text" kept | sort -u | tr '\n' ' ')" = "600 700 " ] ||
    fail "others may read it: $(ls -la kept)"
expect 0 "$phasor" report "${moments[0]}"
says out "The loop was blocked"
"$events" "${moments[0]}" cut >/dev/null || fail "the moment is not consistent"

expect 0 "$phasor" watch --moments none --blocked 10s -- "$program" turns 3
[ ! -e none ] || fail "something was kept of a program that was not blocked"
expect 7 "$phasor" watch -- sh -c 'exit 7'
says err "nothing was seen:"
expect 127 "$phasor" watch -- ./no-such-program
expect 2 "$phasor" watch
expect 2 "$phasor" watch --blocked soon -- "$program" turns 3
expect 2 "$phasor" watch --memory 1 -- "$program" turns 3
expect 1 "$phasor" watch --memory 900G -- "$program" turns 3
says err "are needed"
expect 1 "$phasor" watch --metrics nonsense -- "$program" turns 3
says err "is no address"

# A loop that never comes back is told of while it is blocked, and of a killed program as well.
"$phasor" watch --blocked 100ms --moments stuck -- "$build/tests/trace/stuck" spin >out 2>err &
watcher=$!
children+=($watcher)
wait_for 30 grep -q "has been blocked for" err
victim=$(pgrep -P $watcher -x stuck)
kill -9 "$victim"
status=0
wait $watcher || status=$?
[ $status = 137 ] || fail "ended with $status: $(cat err)"
left $watcher
