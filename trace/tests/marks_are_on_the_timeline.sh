#!/usr/bin/env bash
# A moment and stretches of time that a C program names in one line each.
. trace/tests/common.bash
PHASOR_TRACE=file "$build/tests/trace/shares" marks
"$events" file >/dev/null
expect 0 "$phasor" report file --perfetto -
python3 - <<'END'
import json

events = json.load(open("out"))["traceEvents"]
marks = {e["name"]: e for e in events if e.get("cat") == "mark"}
assert list(marks) == ["cache is warm", "parsing", "across"], marks
assert marks["cache is warm"]["dur"] == 0 and marks["parsing"]["dur"] >= 3000, marks
# From one callback to another, 5 ms of the clock later.
assert marks["across"]["dur"] >= 4000, marks
first = next(e for e in events if "begin_stretch" in e["name"])
assert first["ts"] <= marks["parsing"]["ts"], (first, marks)
assert marks["parsing"]["ts"] + marks["parsing"]["dur"] <= first["ts"] + first["dur"] + 1
END
# Without a recording nothing happens.
"$build/tests/trace/shares" marks
