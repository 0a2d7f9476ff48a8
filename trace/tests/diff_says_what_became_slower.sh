#!/usr/bin/env bash
# What became slower is named, with how sure that is; the same twice has no differences.
. trace/tests/common.bash
long=$build/tests/trace/long
for i in 1 2 3 4 5; do
    "$long" before$i 30000 2 $((i * 5)) >/dev/null
    "$long" after$i 30000 2 $((400 + i * 5)) >/dev/null
done
expect 0 "$phasor" diff before[1-5] -- before[1-5]
says out "No difference that can be told"
! grep -q "Slower\|Faster" out || fail "$(cat out)"
expect 3 "$phasor" diff before[1-5] -- after[1-5]
says out "function uv_timer_cb 0x5000"
says out "more than 99.99 % sure"
! grep -q "0x5100" out || fail "another function is named: $(cat out)"
expect 0 "$phasor" diff after[1-5] -- before[1-5]
says out "Faster"
expect 3 "$phasor" diff before[1-5] -- after[1-5] --json
python3 - <<'END'
import json
told = json.load(open("out"))
assert told["runs"] == {"before": 5, "after": 5, "inTurns": True}, told["runs"]
found = {(c["what"], c["name"]): c for c in told["comparisons"]}
timer = found["function", "uv_timer_cb 0x5000"]
assert timer["verdict"] == "slower" and timer["chance"] < 0.0001 and timer["larger"] == 1
assert 350 < timer["after"]["median"] - timer["before"]["median"] < 450, timer
assert len(timer["before"]["runs"]) == 5, timer
assert found["function", "uv_read_cb 0x5100"]["verdict"] == "same"
assert found["phase", "poll"]["verdict"] == "same", found["phase", "poll"]
END

# What one run of each can't tell is not told, whatever the figures are.
expect 0 "$phasor" diff before1 after1
says out "With 1 and 1 recordings it can't be known whether a difference comes from the"
says out "function uv_timer_cb 0x5000"
! grep -q "Slower\|Faster\|sure" out || fail "$(cat out)"
expect 0 "$phasor" diff before1 before1
says out "No median has changed by 5 % or more."
expect 0 "$phasor" diff before[1-3] -- after[1-3]
says out "With 3 and 3 recordings"

# A function that ran in a few of the runs says nothing.
for i in 2 3 4; do
    PHASOR_TRACE=other$i "$program" turns 3
done
expect 0 "$phasor" diff before1 other[2-4] -- after[1-4]
says out "in too few of the runs to say:"

expect 2 "$phasor" diff before1
says err "two recordings, please"
expect 2 "$phasor" diff before1 -- --
says err "-- stands twice"
expect 2 "$phasor" diff before1 before2 after1
says err "which of them are before?"
expect 2 "$phasor" diff --nonsense before1 after1
says err "unknown option --nonsense"
expect 1 "$phasor" diff before1 missing

# On a busy machine calls take longer, but not because of the program.
if [ -z "$sanitizer" ]; then
    PHASOR_TRACE=calm "$build/tests/trace/shares" steady
    PHASOR_TRACE=hogged "$build/tests/trace/shares" hogged-steady
    expect 0 "$phasor" diff calm hogged --json
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
