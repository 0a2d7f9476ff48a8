#!/usr/bin/env bash
# With a limit of real time, at Ctrl-C, with a file of seeds; several failures are grouped.
. sim/tests/world.bash
needs_runtime
echo 'setTimeout(() => {}, 1000);' >good.js
sim --for 2s good.js >out 2>err
grep -qE '^[0-9]+ worlds, none failed \(seeds 1 to [0-9]+\)$' out || { cat out; fail "no summary"; }

# Bash starts what is in the background without the signal of Ctrl-C.
python3 - "$phasor" <<'END'
import signal, subprocess, sys, time
command = [sys.argv[1], 'sim', '--for', '300s', '--json', 'good.js']
search = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(2)
search.send_signal(signal.SIGINT)
out = search.communicate(timeout=100)[0]
assert search.returncode == 0 and b'"failed":false' in out, (search.returncode, out)
END

cat >bad.js <<'END'
const sim = require('phasor:sim');
if (sim.seed % 10 === 3) throw new Error('three');
if (sim.seed % 10 === 7) throw new Error('seven');
END
status=0
sim --seeds 40 --keep-going --no-shrink bad.js >out 2>err || status=$?
[ $status = 1 ] || fail "status $status, not 1"
says err '4 worlds: Error: three (seeds'
says err '4 worlds: Error: seven (seeds'
says err 'seed 3 fails'

sim --seeds 5 --corpus seeds --no-shrink bad.js >out 2>err && fail "nothing was found"
says seeds 'seed 3 # Error: three'
says seeds 'next 4'
# The failing one is tried first, as long as it fails; then the search goes on.
sim --seeds 2 --corpus seeds --no-shrink bad.js >out 2>err && fail "seed 3 was not tried again"
sed -i 's/ === 3/ === 33/' bad.js
sim --seeds 2 --corpus seeds bad.js >out 2>err || { cat err >&2; fail "it fails"; }
says out '3 worlds, none failed (seeds 4 to 5)'
says seeds 'next 6'
