#!/usr/bin/env bash
# As a .cpuprofile, as folded lines and in Perfetto's trace: the same functions, with times that go
# into the recording.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
cat >app.js <<'CODE'
function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e4; i++) Math.sqrt(i);
}
function inner() { crunch(200); }
setTimeout(function outer() { inner(); }, 20);
CODE
expect 0 "$phasor" trace -o file app.js
expect 0 "$phasor" report file --cpuprofile p.cpuprofile --folded folded --perfetto perfetto.json
[ ! -s out ] || fail "something was printed, too: $(cat out)"
expect 0 "$phasor" report file --json
mv out report.json
way='outer \(app.js:6\);inner \(app.js:5\);crunch \(app.js:1\)'
grep -qE "^main loop;(.*;)?$way [0-9]+$" folded ||
    fail "$(cat folded)"
python3 - <<'END_OF_PYTHON'
import json
report = json.load(open("report.json"))
profile = json.load(open("p.cpuprofile"))
nodes = {node["id"]: node for node in profile["nodes"]}
parents = {child: node["id"] for node in profile["nodes"] for child in node.get("children", [])}
assert len(parents) == len(nodes) - 1 and set(parents) | {1} == set(nodes), "it is one tree"
assert len(profile["samples"]) == len(profile["timeDeltas"])
assert all(delta >= 0 for delta in profile["timeDeltas"])
assert sum(profile["timeDeltas"]) <= profile["endTime"] - profile["startTime"]
totals = {}
for node, time in zip(profile["samples"], profile["timeDeltas"][1:] + [0]):
    while node in nodes:
        name = nodes[node]["callFrame"]["functionName"]
        totals[name] = totals.get(name, 0) + time
        node = parents.get(node)
assert totals["outer"] >= totals["inner"] >= 100_000, totals
frame, = {(node["callFrame"]["url"].split("/")[-1], node["callFrame"]["lineNumber"])
          for node in profile["nodes"] if node["callFrame"]["functionName"] == "inner"}
assert frame == ("app.js", 4), frame
folded = [line.rsplit(" ", 1) for line in open("folded")]
in_crunch = sum(int(time) for stack, time in folded if "crunch" in stack)
assert in_crunch >= 100_000, folded
events = json.load(open("perfetto.json"))["traceEvents"]
stacks = [event for event in events if event.get("cat") == "stack"]
crunch = [event for event in stacks if event["name"].startswith("crunch")]
outer = [event for event in stacks if event["name"].startswith("outer")]
assert sum(event["dur"] for event in crunch) >= 100_000, stacks
assert all(any(o["tid"] == c["tid"] and o["ts"] <= c["ts"] + 0.01
               and o["ts"] + o["dur"] >= c["ts"] + c["dur"] - 0.01 for o in outer)
           for c in crunch), stacks
END_OF_PYTHON
# Without stacks the forms are empty, and sound.
PHASOR_TRACE=plain "$program" turns 3
expect 0 "$phasor" report plain --cpuprofile - --folded plain.folded
python3 -c 'import json; json.load(open("out"))'
expect 2 "$phasor" report file plain --folded both
