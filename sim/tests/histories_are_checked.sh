#!/usr/bin/env bash
# Registers, maps, queues and locks; and conditions that are to hold always, or in some world.
. sim/tests/world.bash
needs_runtime
sim "$programs/history.js" >out
sed 's/ yes$//; t; s/ AssertionError \([0-9]*\)$/ \1/; t; d' out >judged
[ "$(wc -l <judged)" = 16 ] || { cat out >&2; fail "not all were judged"; }
grep -c ' yes$' out >yes
[ "$(cat yes)" = 9 ] || { cat out >&2; fail "$(cat yes) are linearizable, not 9"; }

cat >always.js <<'END'
const sim = require('phasor:sim');
setTimeout(() => sim.always(1 + 1 === 3, 'sums are wrong'), 1000);
END
status=0
sim always.js 2>err || status=$?
[ $status != 0 ] || fail "what must always hold does not, and nobody says so"
says err 'sums are wrong'

cat >sometimes.js <<'END'
const sim = require('phasor:sim');
sim.sometimes('the number is 1', sim.random(4) === 1);
sim.sometimes('the number is 7', sim.random(4) === 7);
END
status=0
sim --seeds 30 sometimes.js >out 2>err || status=$?
[ $status = 1 ] || { cat err >&2; fail "status $status, not 1"; }
says err 'in no world it held that the number is 7'
sed -i '$d' sometimes.js
sim --seeds 30 sometimes.js >out 2>err || { cat err >&2; fail "it held in some world"; }
