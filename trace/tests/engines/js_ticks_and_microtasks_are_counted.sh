#!/usr/bin/env bash
# Each nextTick and each promise job is recorded, inside the callback that it follows.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
cat >app.js <<'END'
function tick() {}
setTimeout(function first() {
  for (let i = 0; i < 50; i++) process.nextTick(tick);
  for (let i = 0; i < 30; i++) Promise.resolve().then(function job() {});
}, 1);
setImmediate(() => setTimeout(async function second() {
  for (let i = 0; i < 7; i++) await null;
}, 20));
END
expect 0 "$phasor" trace -o file app.js
expect_json file "report['loops'][0]['ticks'] == 50 and report['loops'][0]['microtasks'] == 37"
expect_json file "rows.count(('tick', 'tick (app.js:1)')) == 50"
expect_json file "rows.count(('tick', 'job (app.js:4)')) == 30"
expect_json file "rows.count(('tick', 'second (app.js:6)')) == 7"
python3 - <<'END'
import json
events = json.load(open("perfetto.json"))["traceEvents"]
first, = [e for e in events if e["name"] == "timer callback first (app.js:2)"]
inside = [e for e in events if e.get("cat") == "tick"
          and first["ts"] <= e["ts"] and e["ts"] + e["dur"] <= first["ts"] + first["dur"] + 0.01]
assert len(inside) == 80, len(inside)
assert [e["name"] for e in inside] == ["tick (app.js:1)"] * 50 + ["job (app.js:4)"] * 30
END

# A loop that starves is told by its cause. It works for as long on any machine, however busy.
cat >starving.js <<'END'
const before = process.cpuUsage();
setTimeout(function late() {}, 1);
setImmediate(function begin() {
  (function again() {
    for (let i = 0; i < 10000; i++);
    if (process.cpuUsage(before).user < 60000) process.nextTick(again);
  })();
});
END
expect 0 "$phasor" trace -o starving starving.js
expect 0 "$phasor" report starving
says out "by the immediate callback begin (starving.js:3), mostly in the "
says out "ticks that followed it"
