#!/usr/bin/env bash
# One fault on the second host is enough; those of the first, and of the way between, are taken out.
. sim/tests/world.bash
needs_runtime
status=0
sim --seeds 100 --faults disk:0.03,call:0.03 "$programs/planted_hosts.js" >out 2>err || status=$?
[ $status = 1 ] || { cat err >&2; fail "status $status, not 1"; }
command=$(sed -n 's/^phasor sim: again: //p' err)
[ "$(grep -o -- '--fault ' <<<"$command" | wc -l)" = 1 ] || fail "more than one fault: $command"
grep -q -- '--fault second:[a-z_]*@' <<<"$command" || fail "not on the second host: $command"
status=0
(PATH=$build/bin:$PATH && eval "timeout 300 $command" >again 2>&1 </dev/null) || status=$?
[ $status = 86 ] || { cat again >&2; fail "status $status of $command"; }
says again 'the second host could not write'
