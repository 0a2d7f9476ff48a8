#!/usr/bin/env bash
# An unlocked counter and one that is locked twice are found; the mended one passes; the same seed
# gives the same interruption.
. sim/tests/world.bash
[ "$(uname -m)" = x86_64 ] || { echo "threads are run step by step on x86-64 only"; exit 77; }
counter=$build/tests/sim_counter
[ -x "$counter" ] || fail "there is no $counter"
for how in unlocked twice; do
    status=0
    sim --seeds 1000 "$counter" $how >out 2>err || status=$?
    [ $status = 1 ] || { cat out err >&2; fail "$how: status $status, not 1"; }
    command=$(sed -n 's/^phasor sim: again: //p' err)
    for i in 1 2 3; do
        status=0
        (PATH=$build/bin:$PATH && eval "timeout 300 $command" >again.$i 2>&1 </dev/null) ||
            status=$?
        [ $status = 1 ] || fail "the command does not repeat it: $command"
        same again.1 again.$i "$how: another run differs"
    done
done
sim --seeds 300 "$counter" mended >out 2>err || { cat err >&2; fail "the mended one fails"; }
