#!/usr/bin/env bash
# In virtual time, one at a time, in an order of the seed.
. sim/tests/world.bash
program=$build/tests/sim_threads
[ -x "$program" ] || fail "there is no $program"
sim "$program" >expected
says expected '8 h: joined 4'
says expected '13 h: timeout 0'
for i in $(seq 20); do
    sim "$program" >out
    same expected out "run $i"
done
taskset -c 0 timeout 300 "$phasor" sim "$program" >out </dev/null
same expected out "on one processor"
for seed in $(seq 2 9); do sim --seed "$seed" "$program" | md5sum; done | sort -u >orders
[ "$(wc -l <orders)" -gt 1 ] || fail "every seed gives the same order"
