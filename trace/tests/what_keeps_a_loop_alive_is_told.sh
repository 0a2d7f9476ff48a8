#!/usr/bin/env bash
# report --alive: what is open at the end, with the function that made it; and of a pool that is
# full, what it was used for and by whom.
. trace/tests/common.bash
PYTHONPATH=$source/trace/tests python3 - <<'END'
from recordings import *

TIMER, TCP, FS, FS_OPEN = 13, 12, 6, 1
thread = Thread()
thread.say(LOOP_OPEN)
thread.say(HANDLE_OPEN, subject=0x2000, value=TIMER)
thread.say(HANDLE_OPEN, subject=0x2100, value=TIMER | 0x100)
thread.run(1_000_000)
thread.say(ITERATION_BEGIN)
thread.say(PHASE, value=TIMERS)
thread.say(CALLBACK_BEGIN, subject=0x2000, detail=0x5000, value=TIMER_CB)
thread.say(SPAN_BEGIN, detail=1, value=FUNCTION)
for i in range(3):
    thread.run(1000)
    thread.say(HANDLE_OPEN, subject=0x3000 + i * 0x200, value=TCP)
thread.say(REQUEST, subject=0x9000, value=FS | FS_OPEN << 8)
thread.say(SPAN_END, value=FUNCTION)
thread.say(CALLBACK_END)
thread.say(HANDLE_CLOSE, subject=0x2000)
thread.say(HANDLE_CLOSED, subject=0x2000)
thread.say(ITERATION_END)
write("file", thread, [("connect", "/app.js", 3)])
END
expect 0 "$phasor" report file --alive
says out "The loop has open at the end of the recording"
says out "       3  tcp, the first made at 0.001 s in connect (/app.js:3)"
says out "       1  timer, from before the recording"
says out "       1  fs open, not done, made at 0.001 s in connect (/app.js:3)"
[ "$(grep -c timer out)" = 1 ] || fail "one that was closed is not open: $(cat out)"
expect 0 "$phasor" report file --json
python3 - <<'END'
import json
alive = {one["type"]: one for one in json.load(open("out"))["alive"]}
assert alive["tcp"]["count"] == 3 and alive["tcp"]["maker"] == "connect (/app.js:3)", alive
END
PHASOR_TRACE=closed "$program" turns 3
expect 0 "$phasor" report closed --alive
says out "Nothing is open at the end of the recording."

"$phasor" -e 0 >/dev/null 2>&1 || exit 0
cat >pool.js <<'CODE'
const { pbkdf2 } = require('crypto');
setTimeout(function login() {
  for (let i = 0; i < 24; i++) pbkdf2('password', 'salt', 30000, 64, 'sha512', () => {});
}, 1);
CODE
UV_THREADPOOL_SIZE=2 expect 0 "$phasor" trace -o pool pool.js
expect 0 "$phasor" report pool --json
python3 - <<'END'
import json
users = json.load(open("out"))["pool"]["users"]
most = max(users, key=lambda one: one["ran"])
assert most["count"] == 24 and most["maker"] == "login (pool.js:2)", users
END
expect 0 "$phasor" report pool
grep -qE 'Most of its time went to .* for login \(pool.js:2\) \(.* in 24 requests\)' out ||
    fail "$(cat out)"
