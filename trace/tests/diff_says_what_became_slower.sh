#!/usr/bin/env bash
# What became slower is named, with how sure that is; the same twice has no differences.
. trace/tests/common.bash
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

# On a busy machine calls take longer, but not because of the program.
if [ -z "$sanitizer" ]; then
    PHASOR_TRACE=calm "$build/tests/trace/shares" steady
    PHASOR_TRACE=hogged "$build/tests/trace/shares" hogged-steady
    "$phasor" diff calm hogged --json >out || true
    "$phasor" report hogged --json >report.json
    python3 - <<'END'
import json
function = max(json.load(open("report.json"))["functions"], key=lambda one: one["total"])
if function["onCpu"] < function["total"] / 2:  # unless they had processors of their own
    one = next(c for c in json.load(open("out"))["comparisons"] if "steady" in c["name"] or
               c["what"] == "function" and c["after"]["count"] == 40)
    assert one["after"]["median"] < 1.5 * one["before"]["median"], one
    assert one["after"]["median"] < function["median"] / 1.5, (one, function)
END
fi
