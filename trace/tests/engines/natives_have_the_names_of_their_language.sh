#!/usr/bin/env bash
# What an engine does in native code is called what its users call it; so is garbage collection.
. trace/tests/common.bash
[ -z "$sanitizer" ] || skip "our library needs the sanitizer in the program"
node=$(command -v node) || skip "there is no node"
nm "$node" 2>/dev/null | grep Builtin_JsonParse >/dev/null || skip "this node has no symbols"
cat >app.js <<'CODE'
const items = Array.from({ length: 50000 }, (_, i) => ({ id: i, name: 'n' + i, tags: ['a'] }));
const text = JSON.stringify(items);
function parseRoute() { for (let i = 0; i < 4; i++) JSON.parse(text); }
function keepRoute() {
  const kept = [];
  for (let i = 0; i < 1e6; i++) kept.push({ i, a: [i] });
  return kept;
}
setTimeout(function one() {
  parseRoute();
  setTimeout(function two() { keepRoute(); }, 1);
}, 1);
CODE
expect 0 "$phasor" trace -o file "$node" app.js
expect 0 "$phasor" report file
grep -qE 'by JSON.parse in parseRoute \(app.js:[0-9]+\) under uv_timer_cb' out ||
    fail "$(cat out)"
! grep -q "native code that returned" out || fail "$(cat out)"
expect 0 "$phasor" report file --json
grep -qE '"garbage collection \((scavenge|mark-compact)\)"' out || fail "$(cat out)"
