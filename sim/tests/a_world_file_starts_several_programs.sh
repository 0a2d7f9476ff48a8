#!/usr/bin/env bash
# Two programs on two hosts: their way is cut and heals, one crashes and starts again.
. sim/tests/world.bash
needs_runtime
mkdir disk
cat >world.json <<END
{
  "hosts": [
    {"name": "server", "program": ["$programs/server.js"], "folder": "disk"},
    {"name": "client", "program": ["$programs/client.js", "9"], "environment": {"ASK": "/a"}}
  ],
  "links": [{"between": ["server", "client"], "latency": "20ms", "jitter": "5ms"}],
  "happenings": [
    {"at": "50min", "cut": ["server", "client"]}, {"at": "70min", "heal": ["server", "client"]},
    {"at": "110min", "crash": "server"}, {"at": "130min", "restart": "server"}
  ],
  "limit": "1d"
}
END
sim world.json >out
cat >expected <<END
0 /a start 1, /a
30 /a start 1, /a
61 /a timeout
91 /a start 1, /a
122 /a timeout
152 /a start 2, /a
182 /a start 2, /a
212 /a start 2, /a
242 /a start 2, /a
272 /end start 2, /end
END
same expected out "a day of two programs"
for i in 1 2 3; do
    rm disk/starts
    sim world.json >again
    same out again "the same world differs"
done
