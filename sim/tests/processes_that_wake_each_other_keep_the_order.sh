#!/usr/bin/env bash
# A thread that was woken and has not run yet looks as if it were blocked. The world must not go on
# without it, however long its waker is kept from the processor.
. sim/tests/world.bash
program=$build/tests/sim_turns
cat >world.json <<END
{"hosts": [{"name": "one", "program": ["$program"]}, {"name": "two", "program": ["$program"]}]}
END
for seed in 1 3; do
    sim --seed $seed world.json >expected 2>err
    [ ! -s err ] || { cat err >&2; fail "something of the outside was seen"; }
    for _ in 1 2 3 4 5 6 7 8; do
        sim --seed $seed world.json >out
        same expected out "another run of seed $seed differs"
    done
done
