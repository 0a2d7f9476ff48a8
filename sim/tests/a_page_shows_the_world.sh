#!/usr/bin/env bash
# Hosts, messages between them, what programs print, faults and crashes, each with its time; and the
# world stops where the page says.
. sim/tests/world.bash
needs_runtime
mkdir disk
cat >world.json <<END
{"hosts": [
   {"name": "server", "program": ["$programs/server.js"], "folder": "disk"},
   {"name": "client", "program": ["$programs/client.js", "4"], "environment": {"ASK": "/a<b"}}],
 "links": [{"between": ["server", "client"], "latency": "20ms"}],
 "happenings": [{"at": "20min", "crash": "server"}, {"at": "40min", "restart": "server"}]}
END
sim --kind --page page.html world.json >out
cat >read.py <<'END'
import json, re, sys
text = open('page.html').read()
data = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.S).group(1))
kinds = 'bytes end connect refused reset datagram lost output errors log'.split()
assert data['hosts'] == ['server', 'client'], data['hosts']
assert not data['failed'] and data['total'] == len(data['events'])
events = [(kinds[e[0]],) + tuple(e[1:]) for e in data['events']]
asked = [e for e in events if e[0] == 'bytes' and e[1:3] == (1, 0)]
assert asked and all(20e6 <= e[4] - e[3] <= 41e6 for e in asked), asked
assert any(e[0] == 'connect' and e[1:3] == (1, 0) for e in events)
said = [e[7] for e in events if e[0] == 'output' and e[1] == 1]
assert said[0].startswith('0 /a<b start 1'), said
log = [(e[4], e[7]) for e in events if e[0] == 'log']
assert (1200 * 10**9, 'crash server') in log and (2400 * 10**9, 'restart server') in log, log
steps = [e[5] for e in events]
assert steps == sorted(steps)
ns = events[len(steps) // 2][4]
hours, rest = divmod(ns // 10**6, 3600 * 1000)
minutes, ms = divmod(rest, 60 * 1000)
hours = f'{hours} h ' if hours else ''
print(steps[len(steps) // 2], f'{hours}{minutes} min {ms // 1000}.{ms % 1000:03} s')
END
read -r step time < <(python3 read.py)
for _ in 1 2; do
    rm -f disk/starts
    sim --kind --until "$step" world.json >out 2>err
    says err "stopped before step $step, at $time of virtual time"
    says err ', and goes on now'
    says err 'client, the main thread waits for '
done
status=0
sim --kind --until 9999999 --page /nowhere/page.html world.json 2>err || status=$?
[ $status = 2 ] || fail "a page that can't be written: status $status"

# A search that fails leaves one, which begins with the failure.
status=0
sim --seeds 200 --faults disk:0.05,call:0.05 "$programs/planted.js" >out 2>err || status=$?
[ $status = 1 ] || fail "the planted bug was not found"
says err 'the page of the world: phasor-sim.html'
grep -q '"failed":true' phasor-sim.html || fail "the page does not tell that it failed"
