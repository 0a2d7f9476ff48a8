#!/usr/bin/env bash
# What became slower is named, with how sure that is; the same twice has no differences.
. tests/trace/common.bash
long=$build/tests/trace/long
"$long" before 100000 2 >/dev/null
"$long" after 100000 2 400 >/dev/null
expect 0 "$phasor" diff before before
says out "No difference that can be told"
! grep -q "Slower\|Faster" out || fail "$(cat out)"
expect 3 "$phasor" diff before after
says out "function uv_timer_cb 0x5000"
says out "more than 99.99 % sure"
! grep -q "0x5100" out || fail "another function is named: $(cat out)"
expect 0 "$phasor" diff after before
says out "Faster"
expect 3 "$phasor" diff before after --json
python3 - <<'END'
import json
found = {(c["what"], c["name"]): c for c in json.load(open("out"))["comparisons"]}
timer = found["function", "uv_timer_cb 0x5000"]
assert timer["verdict"] == "slower" and timer["chance"] < 0.0001 and timer["larger"] > 0.5
assert 350 < timer["after"]["median"] - timer["before"]["median"] < 450, timer
assert found["function", "uv_read_cb 0x5100"]["verdict"] == "same"
assert found["phase", "poll"]["verdict"] == "same", found["phase", "poll"]
END
# A few calls say nothing.
"$long" little 100 2 >/dev/null
expect 0 "$phasor" diff little little
says out "too few calls to say"
expect 2 "$phasor" diff before
says err "two recordings, please"
expect 1 "$phasor" diff before missing
