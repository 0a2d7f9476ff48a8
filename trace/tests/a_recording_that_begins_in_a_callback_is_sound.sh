#!/usr/bin/env bash
# The rest of that turn is a turn without its beginning; what comes then is as always.
. trace/tests/common.bash
"$build/tests/trace/shares" begin
"$events" late late >recorded
says recorded "timer_cb 2"
expect 0 "$phasor" report late --json
python3 - <<'END'
import json

report = json.load(open("out"))
loop = report["loops"][0]
assert loop["callbacks"] == 2 and loop["iterations"] == 2, loop
assert len(report["loops"]) == 1, report["loops"]
END
expect 0 "$phasor" report late
! grep -q "outside of the loop's turns" out || fail "$(cat out)"
