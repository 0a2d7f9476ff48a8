#!/usr/bin/env bash
# In JavaScript: the function that blocked, in the line that is printed and in the report; and the
# newest moments are kept, of children too.
. trace/tests/common.bash
. "$source/trace/tests/engines/js.bash"
[ -w /dev/shm ] || skip "there is no memory for the rings"
cat >app.js <<'CODE'
function crunch(ms) {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1000) for (let i = 0; i < 1e4; i++) Math.sqrt(i);
}
setTimeout(function slowRoute() { crunch(300); }, 50);
setTimeout(() => {}, 60);
if (process.argv[2]) require('child_process').fork(__filename).on('exit', () => {});
CODE
expect 0 "$phasor" watch --blocked 100ms --moments kept app.js
grep -qE "the main loop was blocked for [0-9.]+ m?s: .*(crunch|slowRoute) \(app.js:[15]\)" err ||
    fail "$(cat err)"
grep -qE "crunch \(app.js:1\) < slowRoute \(app.js:5\)" kept/*.txt || fail "$(cat kept/*.txt)"
expect 0 "$phasor" watch --blocked 100ms --pause 1ms --most 1 --moments few app.js with-a-child
[ "$(grep -c "was blocked for" err)" -ge 1 ] || fail "$(cat err)"
[ "$(ls few/*.trace | wc -l)" = 1 ] && [ "$(ls few | wc -l)" = 2 ] || fail "$(ls few; cat err)"
