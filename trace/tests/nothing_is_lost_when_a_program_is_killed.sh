#!/usr/bin/env bash
# By a signal or by _exit, in its first callback: what it did until then is in the recording, and
# how it ended. No memory is left behind.
. trace/tests/common.bash
ulimit -c 0
endings=$build/tests/trace/endings

# The number of a field of the header: status, end, value of the end
field() {
    od -An -td4 -j"$2" -N4 "$1" | tr -d ' '
}

# memory_of FILE: where the recording's buffers were
memory_of() {
    grep --text -m 1 '^memory=' "$1" | cut -d= -f2
}

can_share() {
    PHASOR_TRACE=shared "$program" turns 3
    [ -n "$(memory_of shared)" ]
}
can_share || skip "no memory can be shared here"

# By `phasor trace`, which sees the end.
while read -r way end value said; do
    "$phasor" trace -o "$way" -- "$endings" "$way" >out 2>err || true
    "$events" "$way" cut >recorded
    says recorded "timer_cb 1"
    [ "$(field "$way" 52) $(field "$way" 80) $(field "$way" 84)" = "1 $end $value" ] ||
        fail "$way: $(od -An -td4 -j52 -N36 "$way")"
    [ ! -e "/dev/shm/$(memory_of "$way")" ] || fail "$way: memory is left"
    expect 0 "$phasor" report "$way"
    says out "$said"
done <<'END'
kill 2 9 ended by SIGKILL (signal 9)
terminate 2 15 ended by SIGTERM (signal 15)
leave 1 8 exited with status 8
exit 1 7 exited with status 7
END

# Stacks of its last moments are told as well.
if [ -z "$sanitizer" ] && "$phasor" -e 0 >/dev/null 2>&1; then
    cat >app.js <<'END'
function lastWords() {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 60000) for (let i = 0; i < 1e4; i++) Math.sqrt(i);
}
setTimeout(() => { lastWords(); process.kill(process.pid, 'SIGKILL'); }, 150);
END
    expect 137 "$phasor" trace -o last app.js
    expect 0 "$phasor" report last --json
    grep -qF '"lastWords (app.js:1)"' out || fail "$(cat out)"
    PHASOR_TRACE=last.hand "$phasor" app.js >/dev/null 2>&1 || true
    expect 0 "$phasor" report last.hand --json
    grep -qF '"lastWords (app.js:1)"' out || fail "$(cat out)"
fi

# Without such memory the last moments are lost; then the recording ends where it was last written,
# and says so, instead of giving all that follows to what ran then.
(
    ulimit -f 10000
    "$phasor" trace -o small -- "$endings" leave >out 2>err || true
)
[ "$(field small 52) $(field small 80) $(field small 84)" = "0 1 8" ] || fail "small"
expect 0 "$phasor" report small
says out "The last moments are missing"
says out "exited with status 8"
if unshare --mount mount -t tmpfs -o size=100k none /dev/shm 2>/dev/null; then
    export phasor endings
    unshare --mount sh -c 'mount -t tmpfs -o size=100k none /dev/shm
        "$phasor" trace -o tiny -- "$endings" leave' >out 2>err || true
    expect 0 "$phasor" report tiny
    says out "The last moments are missing"
fi

# By hand, and then by whoever asks for the report.
for way in kill terminate leave; do
    PHASOR_TRACE=$way.hand "$endings" "$way" >/dev/null 2>&1 || true
    [ "$(field "$way.hand" 52)" = 0 ] || fail "$way: was ended by somebody"
    [ -e "/dev/shm/$(memory_of "$way.hand")" ] || fail "$way: there is no memory"
    expect 0 "$phasor" report "$way.hand" --json
    "$events" "$way.hand" cut >recorded
    says recorded "timer_cb 1"
    [ "$(field "$way.hand" 52) $(field "$way.hand" 80)" = "1 3" ] || fail "$way: was not completed"
    [ ! -e "/dev/shm/$(memory_of "$way.hand")" ] || fail "$way: memory is left"
done

# A recording that goes on is left alone.
PHASOR_TRACE=going "$program" clock >ticking &
children+=($!)
wait_for 20 test -s ticking
expect 0 "$phasor" report going
[ "$(field going 52)" = 0 ] || fail "it was ended from outside"
kill $!
wait $! || fail "it did not end well"
[ "$(field going 52)" = 1 ] || fail "it has no end"
[ ! -e "/dev/shm/$(memory_of going)" ] || fail "memory is left"

# Where the recording is gone, nobody needs the memory any more.
PHASOR_TRACE=gone "$endings" kill >/dev/null 2>&1 || true
memory=/dev/shm/$(memory_of gone)
[ -e "$memory" ] || fail "there is no memory"
rm gone
expect 0 "$phasor" report going
[ ! -e "$memory" ] || fail "memory of a recording that is gone is left"

# In a container that shares the folder, the process and the recording are not what they seem.
if unshare --pid --fork true 2>/dev/null; then
    PHASOR_TRACE=contained unshare --pid --fork sh -c '"$0" kill; true' "$endings" >/dev/null 2>&1
    memory=/dev/shm/$(memory_of contained)
    rm contained
    expect 0 "$phasor" report going
    [ -e "$memory" ] || fail "memory of another world of processes is gone"
    rm "$memory"
fi
