#!/usr/bin/env bash
# random_programs_keep_every_promise.sh BUILD [SEEDS]: random programs over the API with calls that
# fail check what the library promises (medicine.c).
. sim/tests/world.bash
seeds=${2:-240}
program=$build/tests/sim_medicine
[ -x "$program" ] || fail "there is no $program"
kinds="none call:0.05 net:0.03 disk:0.05,thread:0.1 call:0.05,net:0.02,disk:0.02,thread:0.05
    call:0.3 net:0.2 call:0.02,net:0.01"
for kind in $kinds; do
    faults=()
    [ "$kind" = none ] || faults=(--faults "$kind")
    timeout 600 "$phasor" sim --seeds $((seeds / 8)) "${faults[@]}" "$program" \
        </dev/null >out 2>err || { cat out err >&2; fail "a promise is broken (faults: $kind)"; }
    echo "faults $kind: $(cat out)"
done
