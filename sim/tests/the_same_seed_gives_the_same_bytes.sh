#!/usr/bin/env bash
# Again and again, on one processor, and on a machine that is busy with something else.
. sim/tests/world.bash
needs_runtime
sim --seed 5 "$programs/mixed.js" >expected
[ "$(wc -l <expected)" -ge 30 ] || fail "the program did not come far"
for i in $(seq 20); do
    sim --seed 5 "$programs/mixed.js" >out
    same expected out "run $i differs"
done
timeout 600 sh -c 'while :; do :; done' &
spinner=$!
for i in $(seq 5); do
    sim --seed 5 "$programs/mixed.js" >out
    same expected out "run $i beside a busy program differs"
    taskset -c 0 timeout 600 "$phasor" sim --seed 5 "$programs/mixed.js" >out </dev/null
    same expected out "run $i on one processor differs"
done
kill "$spinner" || true
