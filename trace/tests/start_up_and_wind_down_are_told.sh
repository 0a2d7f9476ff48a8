#!/usr/bin/env bash
# What a program does before the first turn of its loop delays timers, and what it does after the
# last one delays its end: both are told, and of Node with the function that took the time.
. trace/tests/common.bash
PYTHONPATH=$source/trace/tests python3 - <<'END'
from recordings import *

MS = 1_000_000

def record(path, before, turns, after):
    thread = Thread()
    thread.say(LOOP_OPEN)
    thread.run(before * MS)
    for turn in range(turns):
        thread.say(ITERATION_BEGIN, detail=turn)
        thread.say(PHASE, value=TIMERS)
        thread.say(TIMER_DUE, subject=0x2000, detail=BEGAN // MS + 10)
        thread.say(CALLBACK_BEGIN, subject=0x2000, detail=0x5000, value=TIMER_CB)
        thread.run(1000)
        thread.say(CALLBACK_END)
        thread.say(ITERATION_END)
    if turns:
        thread.say(RUN_END, value=0)
    thread.run(after * MS)
    write(path, thread)

record("slow", 400, 1, 0)
record("quick", 30, 1, 0)
record("stuck", 2000, 0, 0)
END
expect 0 "$phasor" report slow
says out "start-up     400 ms from the making of the loop to its first turn"
says out "The loop turned for the first time after 400 ms; 1 timer was late because of it."
says out "utilisation  100.0 % (busy 1.00 µs" # of the loop's own time
expect 0 "$phasor" report quick
says out "The loop turned for the first time after 30.0 ms; 1 timer was late because of it."
expect 0 "$phasor" report stuck
says out "The loop has not turned once: the program was busy for 2.000 s."
expect 0 "$phasor" report slow --json
python3 -c 'import json
told = json.load(open("out"))["loops"][0]
assert told["startUp"]["duration"] == 400_000_000 and told["lag"]["worst"] < 10_000, told'

[ -z "$sanitizer" ] || exit 0
node=$(command -v node) || exit 0
cat >lib.js <<'CODE'
exports.crunch = function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e4; i++) Math.sqrt(i);
};
CODE
cat >app.js <<'CODE'
setTimeout(function late() {}, 10);
require('./lib.js').crunch(250);
Promise.resolve().then(function later() { require('./lib.js').crunch(20); });
process.on('exit', function onExit() { require('./lib.js').crunch(100); });
CODE
expect 0 "$phasor" trace -o file "$node" app.js
expect 0 "$phasor" report file
grep -qE 'first time after [0-9.]+ m?s, mostly in crunch \(lib.js:[0-9]\); 1 timer' out ||
    fail "$(cat out)"
says out " from the start of the process to the first turn, "
grep -qE 'start-up .* in lib.js' out || fail "$(cat out)"
grep -qE 'and the program went on for [0-9.]+ m?s, mostly in crunch \(lib.js:[0-9]\)' out ||
    fail "$(cat out)"
says out "onExit (app.js:4)"
