#!/usr/bin/env bash
# In our runtime, too: not only the function that the runtime called.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
cat >app.js <<'END'
function crunch(ms) {
  let sum = 0;
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e5; i++) sum += i;
  return sum;
}
function handle() { return crunch(100); }
setTimeout(function onTimer() { handle(); }, 1);
END
expect 0 "$phasor" trace -o file app.js
"$phasor" report file >out
# On a machine that is very busy it may only have waited for a processor.
if grep -q "was blocked" out; then
    says out "by the timer callback onTimer (app.js:8), mostly in crunch (app.js:1)"
    says out "crunch (app.js:1) < handle (app.js:7) < onTimer (app.js:8)"
fi
expect_json file "any(frame[1] == 'crunch (app.js:1)' for frame in report['stacks']['frames'])"
# One that is called in several ways, of which none took half of the time.
cat >ways.js <<'END'
function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e5; i++) Math.sqrt(i);
}
function one() { crunch(60); }
function two() { crunch(60); }
function three() { crunch(60); }
setTimeout(function onTimer() {
  process.nextTick(() => one());
  process.nextTick(() => two());
  three();
}, 1);
END
expect 0 "$phasor" trace -o ways ways.js
"$phasor" report ways >out
! grep -q "was blocked" out || says out "in crunch (ways.js:1)"

# Functions that call themselves, or each other, are told of once: the way to them stays visible.
cat >deep.js <<'END'
function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e5; i++) Math.sqrt(i);
}
function again(n) { if (n > 0) again(n - 1); else crunch(100); }
function even(n) { if (n > 0) odd(n - 1); else again(20); }
function odd(n) { even(n - 1); }
setTimeout(function route() { even(12); }, 1);
END
expect 0 "$phasor" trace -o deep deep.js
"$phasor" report deep >out
circle="[even (deep.js:6) < odd (deep.js:7)] × 6"
! grep -q "was blocked" out ||
    says out "again (deep.js:5) × 21 < $circle < even (deep.js:6) < route (deep.js:8)"

# Of more functions than there are sentences it is said how many there are.
cat >more.js <<'END'
function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e5; i++) Math.sqrt(i);
}
for (let i = 0; i < 7; i++) setTimeout(eval(`(function number${i}() { crunch(15); })`), 1 + i * 40);
END
expect 0 "$phasor" trace -o more more.js
"$phasor" report more >out
[ "$(grep -c "was blocked" out)" != 5 ] || grep -qE 'more callback' out || fail "$(cat out)"

# The same program runs and prints the same with its names looked at: getters are not called.
cat >odd.js <<'END'
const odd = () => { for (const end = Date.now() + 100; Date.now() < end;); };
Object.defineProperty(odd, 'name', { get() { console.log('asked'); return 'x'; } });
setTimeout(odd, 1);
END
expect 0 "$phasor" trace -o odd odd.js
[ ! -s out ] || fail "a getter was called: $(cat out)"
