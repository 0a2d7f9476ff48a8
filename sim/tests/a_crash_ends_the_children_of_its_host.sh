#!/usr/bin/env bash
# At that moment, and also those that have left for another parent.
. sim/tests/world.bash
needs_runtime
cat >parent.js <<'END'
const fs = require('fs');
const { spawn } = require('child_process');
const stdio = 'ignore';
const child = spawn('sh', ['-c', 'sleep 600 & echo $! >grandchild; sleep 601'], { stdio });
fs.writeFileSync('child', String(child.pid));
fs.fsyncSync(fs.openSync('child'));
child.unref();
spawn('sh', ['-c', '(sleep 602 & echo $! >orphan) &'], { stdio }).unref();
const there = (file) => fs.existsSync(file) && fs.statSync(file).size > 0;
while (!there('grandchild') || !there('orphan'));
setInterval(() => {}, 100);
END
cat >looker.js <<'END'
const fs = require('fs');
const gone = (file) => {
  const pid = fs.readFileSync(file, 'utf8').trim();
  try { return / Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1')); } catch { return true; }
};
setTimeout(() => {
  console.log(gone('child'), gone('grandchild'), gone('orphan'));
}, 2001);
END
cat >world.json <<END
{
  "hosts": [{"name": "parent", "program": ["parent.js"]},
            {"name": "looker", "program": ["looker.js"]}],
  "happenings": [{"at": "2s", "crash": "parent"}]
}
END
sim --real-limit 60s world.json >out 2>err || { cat err >&2; fail "status $?"; }
echo 'true true true' >expected
same expected out "what is left of the children"
