#!/usr/bin/env bash
# PHASOR_TRACE_LIMIT bounds the file; the end of the program is in it, the beginning is not.
. trace/tests/common.bash
PHASOR_TRACE=file PHASOR_TRACE_LIMIT=300000 "$program" clock 6000 >/dev/null
size=$(stat -c %s file)
[ "$size" -le 300000 ] || fail "$size bytes"
[ "$size" -gt 200000 ] || fail "only $size bytes: the limit was not reached"
expect 0 "$phasor" report file --json
python3 - <<'END'
import json
report = json.load(open("out"))
assert report["overwritten"] and report["status"] == "complete", report
loop = report["loops"][0]
assert 500 < loop["iterations"] < 5900, loop["iterations"]
assert loop["callbacks"] == loop["phases"]["timers"]["callbacks"] + loop["phases"]["poll"][
    "callbacks"] + loop["phases"]["closing"]["callbacks"], loop
assert report["longest"][0]["function"].startswith("on_tick"), report["longest"][0]
END
# Names that a runtime gave are in every part of the file.
PHASOR_TRACE=file PHASOR_TRACE_LIMIT=1 "$program" names
expect 0 "$phasor" report file
says out "parse (config.js:12)"
