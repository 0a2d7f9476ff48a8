#!/usr/bin/env bash
# As version managers do: a script runs other programs, which are outside, and becomes the program.
# No time passes in the world meanwhile, however long they take.
. sim/tests/world.bash
needs_runtime
mkdir disk
cat >start.sh <<END
#!/bin/sh
port=\$(sleep 0.3; echo 8080)
sleep 0.1
exec "$phasor" "\$@"
END
chmod +x start.sh
cat >world.json <<END
{"hosts": [
   {"name": "server", "program": ["../start.sh", "$programs/server.js"], "folder": "disk"},
   {"name": "client", "program": ["$programs/client.js", "1"], "environment": {"ASK": "/a"}}]}
END
printf '0 /a start 1, /a\n30 /end start 1, /end\n' >expected
for _ in 1 2; do
    rm -f disk/starts
    sim --kind world.json >out 2>err
    same expected out "the world did not wait for the script"
    [ ! -s err ] || { cat err >&2; fail "something of the outside was seen"; }
done

# A wait that the world does not see is named: here for a pipe that another program fills.
mkfifo pipe
(until [ -e begun ]; do sleep 0.1; done; sleep 1; echo text >pipe) &
cat >reads.js <<'END'
require('fs').writeFileSync('begun', '');
require('fs').readFileSync('pipe');
setTimeout(() => console.log('read'), 1000);
END
echo 'setTimeout(() => {}, 10000);' >waits.js
cat >world.json <<END
{"hosts": [{"name": "one", "program": ["reads.js"]},
           {"name": "two", "program": ["waits.js"]}]}
END
sim --kind world.json >out 2>err
wait
says out 'read'
says err 'the world leaks: a wait in the system call'
