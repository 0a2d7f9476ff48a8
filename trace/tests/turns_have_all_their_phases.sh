#!/usr/bin/env bash
# Whatever a turn had to do, and also inside of a callback of its own loop: it has all phases, in
# their order, and callbacks are in theirs. The loop counts as many turns as the recording has.
. trace/tests/common.bash
PHASOR_TRACE=file "$build/tests/trace/turns" >turns
"$events" file >/dev/null || fail "the recording is not consistent"
"$phasor" report file --json >report.json
"$phasor" report file --perfetto - >events.json
python3 - <<'END'
import collections
import json

# In the last one the handles are closed.
turns = int(open("turns").read())
loop = json.load(open("report.json"))["loops"][0]
assert loop["iterations"] == turns, (loop["iterations"], turns)
phases = loop["phases"]
assert phases["timers"]["callbacks"] == 6, phases
assert phases["prepare"]["callbacks"] == phases["check"]["callbacks"] == turns - 1, phases
assert phases["idle"]["callbacks"] == 20 < turns, phases
assert phases["poll"]["callbacks"] == phases["closing"]["callbacks"] == 0, phases
events = json.load(open("events.json"))
events = events["traceEvents"] if isinstance(events, dict) else events
found = collections.Counter(event["name"] for event in events if event.get("ph") == "X")
for name in phases:
    assert found[name] == turns, (name, found, turns)
END
