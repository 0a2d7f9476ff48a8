#!/usr/bin/env bash
# Official builds of Node, unpacked by scripts/nodes.sh: functions in JavaScript have their names in
# each, also those that do nothing more after the native code that they call. An engine that can't
# be asked is said to be so in one line.
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "our library needs the sanitizer in the program"
compiler=${CC:-gcc}

cat >unknown.c <<'CODE'
#include <uv.h>
const char* version(void) __asm__("_ZN2v82V810GetVersionEv");
const char* version(void) { return "99.1"; }
int main(void) { return uv_run(uv_default_loop(), UV_RUN_DEFAULT); }
CODE
"$compiler" -I"$source/lib/include" -rdynamic unknown.c -o unknown -L"$build/lib" -l:libuv.so.1
expect 0 "$phasor" trace -o u.trace ./unknown
expect 0 "$phasor" report u.trace
says out "Functions in JavaScript have no names here: V8 99.1 lacks v8::Isolate::TryGetCurrent."
expect 0 "$phasor" trace -o plain "$program" turns 3
expect 0 "$phasor" report plain
! grep -q "no names" out || fail "$(cat out)"

shopt -s nullglob
nodes=("$build"/nodes/*/bin/node)
[ ${#nodes[@]} -gt 0 ] || skip "no builds of Node are unpacked (scripts/nodes.sh does it)"
cat >app.js <<'CODE'
function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e5; i++) Math.sqrt(i);
}
function route() { crunch(100); }
setTimeout(function onTimer() { route(); }, 1);
CODE
cat >several.js <<'CODE'
function burn(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e5; i++) Math.sqrt(i);
}
function one() { burn(60); }
function two() { burn(60); }
setTimeout(one, 1);
setTimeout(() => setImmediate(() => setTimeout(two, 1)), 20);
CODE
cat >native.js <<'CODE'
const text = JSON.stringify(Array.from({ length: 1e5 }, (_, i) => ({ id: i, name: 'n' + i })));
function sleep() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60); }
function parses() {
  return JSON.parse(text);
}
const model = { sorts() { return text.split(',').sort(); } };
function executes() { require('child_process').execSync('sleep 0.1'); }
function derives() { return require('crypto').pbkdf2Sync('a', 'b', 100000, 64, 'sha512'); }
const all = [parses, model.sorts, executes, derives, sleep];
(function next() {
  if (all.length === 0) return;
  setTimeout(all.shift(), 1);
  setTimeout(() => setImmediate(next), 2); // so that no two are in one callback
})();
CODE
for node in "${nodes[@]}"; do
    expect 0 "$phasor" trace -o file "$node" app.js
    expect 0 "$phasor" report file
    grep -qE 'crunch \(app.js:[0-9]\) < route \(app.js:5\) < onTimer \(app.js:6\)' out ||
        fail "$("$node" --version): $(cat out)"
    says out "under uv_timer_cb, called by route (app.js:5)"
    ! grep -q "called by route (app.js:5) and others" out || fail "it had no others: $(cat out)"
    expect 0 "$phasor" trace -o several "$node" several.js
    expect 0 "$phasor" report several
    who='by burn \(several.js:[0-9]\) under uv_timer_cb, called by (one|two) \(several.js:[56]\)'
    grep -qE "$who and others" out || fail "$("$node" --version): $(cat out)"
    expect 0 "$phasor" trace -o native "$node" native.js
    expect 0 "$phasor" report native
    for place in parses:3 sorts:6 executes:7 derives:8; do
        grep -q "uv_timer_cb ${place%:*} (native.js:${place#*:})" out ||
            fail "$("$node" --version): no $place: $(cat out)"
    done
    ! grep -qE 'was blocked .* by [^:]*\((node:|native.js:1\))' out ||
        fail "$("$node" --version) blames somebody innocent: $(cat out)"
done
