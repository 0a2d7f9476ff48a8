#!/usr/bin/env bash
# While a child is awaited time runs as outside, and may have passed both when somebody looks again.
. sim/tests/world.bash
needs_runtime
cat >victim.js <<'END'
const fs = require('fs');
const child = require('child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
fs.writeFileSync('child', String(child.pid));
fs.fsyncSync(fs.openSync('child'));
END
cat >busy.js <<'END'
setTimeout(() => {
  const end = Date.now() + 800;
  while (Date.now() < end);
}, 800);
END
cat >looker.js <<'END'
const fs = require('fs');
setTimeout(() => {
  const pid = fs.readFileSync('child', 'utf8');
  let lives = false;
  try { lives = !/ Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1')); } catch {}
  console.log(lives ? 'lives' : 'gone');
}, 1010);
END
cat >world.json <<END
{
  "hosts": [{"name": "victim", "program": ["victim.js"]}, {"name": "busy", "program": ["busy.js"]},
            {"name": "looker", "program": ["looker.js"]}],
  "happenings": [{"at": "1s", "crash": "victim"}]
}
END
sim --real-limit 60s world.json >out 2>err || { cat err >&2; fail "status $?"; }
says out gone
