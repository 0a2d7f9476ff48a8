#!/usr/bin/env bash
# Faults that no call came to, children in real time, hosts and options that nobody has.
. sim/tests/world.bash
needs_runtime
echo "require('fs').writeFileSync('x', 'text');" >write.js
sim --fault write@1=ENOSPC write.js >out 2>err && fail "the fault did not happen"
if grep -q never err; then fail "a fault that happened is said not to have"; fi
sim --fault write@37=ENOSPC write.js 2>err
says err 'the fault write@37 never happened: write was called 1 times'
sim --fault server:write@1=ENOSPC write.js 2>err
says err 'the fault server:write@1 never happened: there was no host server'

cat >child.js <<'END'
const { spawn } = require('child_process');
spawn('sleep', ['0.2'], { stdio: 'ignore' }).on('exit', () => console.log('over'));
END
sim child.js >out 2>err
says out over
says err 'while a child process was awaited: another run may differ'

cat >names.js <<'END'
const sim = require('phasor:sim');
sim.host('server', () => {});
const tried = [() => sim.cut('server', 'sever'), () => sim.heal('sever', 'server'),
  () => sim.link('server', 'sever', {}), () => sim.link('server', 'host', { latencie: 1 })];
for (const one of tried) {
  try {
    one();
    console.log('no error');
  } catch (error) {
    console.log(error.message);
  }
}
END
sim names.js >out
options='latency, jitter, bandwidth, loss, duplicate, reorder'
cat >expected <<END
The argument 'host' is no host of this world. Received 'sever'
The argument 'host' is no host of this world. Received 'sever'
The argument 'host' is no host of this world. Received 'sever'
The property 'options.latencie' is unknown ($options). Received 1
END
same expected out "names that nobody has"

# The command's limits come before the file's, and the command that repeats a failure has them.
echo 'setInterval(() => {}, 1000);' >long.js
echo '{"hosts": [{"name": "a", "program": ["long.js"]}], "limit": "1d"}' >world.json
sim --limit 2m world.json 2>err && fail "no limit"
says err 'the limit of virtual time has come (120 s)'
echo 'process.exit(1);' >fails.js
sim --seeds 1 --real-limit 20s fails.js >out 2>err && fail "it does not fail"
says err '--real-limit 20s fails.js'
