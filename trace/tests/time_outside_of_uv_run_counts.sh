#!/usr/bin/env bash
# Programs that turn their loop themselves, or stop it, and work between the turns: that time is in
# the lag and in the utilisation, and a sentence says it.
. trace/tests/common.bash
for way in outside stop; do
    PHASOR_TRACE=$way "$build/tests/trace/shares" $way
    expect 0 "$phasor" report $way --json
    python3 - <<'END'
import json

loop = json.load(open("out"))["loops"][0]
outside = loop["outside"]
# Five turns, with 30 ms of work between each two of them.
assert outside["count"] == 4 and outside["sum"] >= 4 * 30e6, loop
assert 30e6 <= outside["worst"] <= loop["lag"]["worst"], loop
assert loop["busy"] >= outside["sum"], loop
END
    expect 0 "$phasor" report $way
    says out "because the program was outside of uv_run"
done

# Who waited there is named, and what share of the time that was is known. On a machine that is very
# busy no stack may have been taken in time.
for try in 1 2 3 4 5; do
    PHASOR_TRACE=waits "$build/tests/trace/shares" waits
    expect 0 "$phasor" report waits
    if [ -n "$sanitizer" ] || ! grep -q 'shares.c' out; then break; fi
    if grep -q 'mostly in fetch' out; then break; fi
    [ "$try" -lt 5 ] || fail "$(cat out)"
done
grep -qE '^  processor +ran .* in system calls$' out || fail "$(cat out)"
expect 0 "$phasor" report waits --json
python3 - <<'END'
import json

told = json.load(open("out"))["loops"][0]["processor"]
assert told["known"] - told["on"] - told["waitedFor"] >= 4 * 59e6, told
END
