#!/usr/bin/env bash
# Other chance, and another order of what could happen in any.
. sim/tests/world.bash
needs_runtime
for seed in $(seq 8); do
    sim --seed "$seed" "$programs/mixed.js" >"whole.$seed"
    grep -E 'text|request|answer' "whole.$seed" | awk '{print $2, $3}' >"order.$seed"
    sort "order.$seed" >"sorted.$seed"
    same sorted.1 "sorted.$seed" "the same things happen in every world"
done
[ "$(grep -h random whole.* | awk '{print $3}' | sort -u | wc -l)" = 8 ] || fail "the same chance"
[ "$(md5sum order.* | awk '{print $1}' | sort -u | wc -l)" -gt 4 ] || fail "the same order"
