#!/usr/bin/env bash
# Node runs all timers in one callback of the loop, and all listeners of a socket in another one:
# whose they are is told where none of them takes long, by stacks that are taken now and then. With
# each Node that is there, on our library.
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "our library needs the sanitizer in the program"
shopt -s nullglob
nodes=("$build"/nodes/*/bin/node)
if command -v node >/dev/null; then
    nodes+=("$(command -v node)")
fi
[ ${#nodes[@]} -gt 0 ] || skip "there is no Node"
cat >app.js <<'END'
function burn(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e3; i++) Math.sqrt(i);
}
const end = Date.now() + 3000;
function ticks() { burn(4); if (Date.now() < end) setTimeout(ticks, 8); }
function renders() { burn(4); if (Date.now() < end) setTimeout(() => setImmediate(renders), 1); }
setTimeout(ticks, 8);
setImmediate(renders);
END
for node in "${nodes[@]}"; do
    expect 0 "$phasor" trace -o file "$node" app.js
    expect 0 "$phasor" report file --json
    python3 - "$node" <<'END'
import json, sys
functions = json.load(open("out"))["functions"]
inside = {}
for one in functions:
    told = one.get("inside", [])
    assert sum(part["stacks"] for part in told) <= one.get("stacks", 0), one
    assert all(part["stacks"] > 0 for part in told), one
    assert told == sorted(told, key=lambda part: -part["stacks"]), one
    if told:
        inside[one["kind"]] = told[0]["function"]
assert inside.get("uv_timer_cb") == "ticks (app.js:6)", (sys.argv[1], inside, functions)
assert inside.get("uv_check_cb") == "renders (app.js:7)", (sys.argv[1], inside, functions)
END
    expect 0 "$phasor" report file
    grep -qE "uv_timer_cb .*RunTimers.*, of [0-9]+ stacks?: ticks \(app.js:6\) [0-9]+ %" out ||
        fail "$("$node" --version): $(cat out)"
done
