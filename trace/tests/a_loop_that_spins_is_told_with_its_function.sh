#!/usr/bin/env bash
# An idle handle, or immediates without end, keep a loop from sleeping; what comes from elsewhere,
# and turns that are many but short of the whole, are as they should be.
. trace/tests/common.bash
PYTHONPATH=$source/trace/tests python3 - <<'END'
from recordings import *

def turns(path, count, sleep, kind, names=()):
    thread = Thread()
    thread.say(LOOP_OPEN)
    for turn in range(count):
        thread.say(ITERATION_BEGIN, detail=turn)
        phase = {IDLE_CB: IDLE, CHECK_CB: CHECK, READ_CB: POLL}[kind]
        thread.say(PHASE, value=POLL)
        if sleep:
            thread.say(WAIT_BEGIN, value=5)
            thread.sleep(sleep)
            thread.say(WAIT_END, value=(kind == READ_CB) | 2 << 16)
        thread.say(PHASE, value=phase)
        thread.say(CALLBACK_BEGIN, subject=0x2000, detail=0x5000, value=kind)
        if names:
            thread.say(SPAN_BEGIN, detail=1, value=FUNCTION)
        thread.run(1000)
        if names:
            thread.say(SPAN_END, value=FUNCTION)
        thread.say(CALLBACK_END)
        thread.say(ITERATION_END)
    write(path, thread, names)

turns("idle", 2000, 0, IDLE_CB)
turns("immediates", 2000, 0, CHECK_CB, [("again", "/app.js", 3)])
turns("served", 2000, 100_000, READ_CB)
turns("slept", 2000, 100_000, CHECK_CB)
turns("few", 900, 0, IDLE_CB)
END
expect 0 "$phasor" report idle
says out "The loop turned 2000 times without sleeping, 2.00 ms together: uv_idle_cb "
says out ", which ran 2000 times meanwhile, keeps it turning."
expect 0 "$phasor" report immediates
says out "ms together: the immediate callback again (/app.js:3), which ran 2000 times meanwhile"
for calm in served slept few; do
    expect 0 "$phasor" report $calm
    ! grep -q "without sleeping" out || fail "$calm: $(cat out)"
done

if "$phasor" -e 0 >/dev/null 2>&1; then
    echo 'let n = 0;
setImmediate(function again() { if (++n < 3000) setImmediate(again); })' >app.js
    expect 0 "$phasor" trace -o real app.js
    expect 0 "$phasor" report real
    says out "the immediate callback again (app.js:2), which ran "
fi
