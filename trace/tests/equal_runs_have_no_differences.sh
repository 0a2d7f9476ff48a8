#!/usr/bin/env bash
# A hundred pairs of equal programs, five runs of each side, on a machine whose luck changes from
# run to run: at most one of them is said to differ. A program that takes twice as long is found.
. trace/tests/common.bash
[ "$sanitizer" != thread ] || skip "one thread reads"
PYTHONPATH=$source/trace/tests python3 - "$phasor" <<'END'
import json, random, subprocess, sys
from recordings import *

FUNCTIONS, CALLS, RUNS = 6, 25, 60
chance = random.Random(27)
names = [(f"work{i}", "/app.js", i + 1) for i in range(FUNCTIONS)]


def record(path, slower):
    # Each run has its luck, and now and then much worse luck, as a whole and by function.
    luck = chance.lognormvariate(0, 0.08) * (1.6 if chance.random() < 0.08 else 1)
    own = [chance.lognormvariate(0, 0.05) * (2 + i) * 1000 for i in range(FUNCTIONS)]
    own[2] *= slower
    thread = Thread()
    thread.say(LOOP_OPEN)
    for turn in range(CALLS):
        thread.say(ITERATION_BEGIN, detail=turn)
        thread.say(PHASE, value=TIMERS)
        for i in range(FUNCTIONS):
            thread.say(CALLBACK_BEGIN, subject=0x2000, detail=0x5000, value=TIMER_CB)
            thread.say(SPAN_BEGIN, detail=i + 1, value=FUNCTION)
            thread.run(int(own[i] * luck * chance.lognormvariate(0, 0.1)))
            thread.say(SPAN_END, value=FUNCTION)
            thread.say(CALLBACK_END)
        thread.say(PHASE, value=POLL)
        thread.say(WAIT_BEGIN, value=1)
        thread.sleep(100_000)
        thread.say(WAIT_END, value=2 << 16)
        thread.say(ITERATION_END)
    write(path, thread, names)


def differing(before, after):
    done = subprocess.run([sys.argv[1], "diff", *before, "--", *after, "--json"],
                          capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    return [one["name"] for one in json.loads(done.stdout)["comparisons"]
            if one["verdict"] in ("slower", "faster")]


for run in range(RUNS):
    record(f"run{run}", 1)
cries = 0
for pair in range(100):
    both = chance.sample(range(RUNS), 10)
    cries += bool(differing([f"run{i}" for i in both[:5]], [f"run{i}" for i in both[5:]]))
assert cries <= 1, f"{cries} of 100 equal pairs are said to differ"

for run in range(8):
    record(f"slower{run}", 2)
found = differing([f"run{i}" for i in range(8)], [f"slower{i}" for i in range(8)])
assert any(name.startswith("timer callback work2") for name in found), found
END
