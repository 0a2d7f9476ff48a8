#!/usr/bin/env bash
# A beginning that is told with its end, one that is not, and a recording of the version before:
# the same happened in all of them.
. trace/tests/common.bash
for form in plain at-once old; do
    "$build/tests/trace/long" $form 60000 1 0 $form >counted.$form
    expect 0 "$phasor" report $form --json
    sed "s/\"$form\"/\"FILE\"/" out >$form.json
    "$phasor" report $form --perfetto $form.perfetto
done
cmp counted.plain counted.at-once
cmp counted.plain counted.old
python3 - <<'END'
import json

def load(name):
    report = json.load(open(f"{name}.json"))
    for key in "file", "size", "bytes", "recording":
        report.pop(key, None)
    return report, json.load(open(f"{name}.perfetto"))

plain, spans = load("plain")
assert plain["events"] > 60000 and plain["loops"][0]["iterations"] > 1000
for name in "at-once", "old":
    report, others = load(name)
    for key in plain:
        assert report[key] == plain[key], (name, key, report[key], plain[key])
    assert sorted(map(str, others["traceEvents"])) == sorted(map(str, spans["traceEvents"])), name
END
