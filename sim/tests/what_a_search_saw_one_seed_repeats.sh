#!/usr/bin/env bash
# The worlds of a search share what was loaded before they began, but neither time nor chance.
. sim/tests/world.bash
needs_runtime
sim --seeds 12 --jobs 2 "$programs/shown.js" search >/dev/null
for seed in $(seq 12); do
    sim --seed "$seed" "$programs/shown.js" alone
    same "search.$seed" "alone.$seed" "seed $seed alone is another world"
done
[ "$(cut -d ' ' -f 6,7 search.* | grep -c .)" -gt 12 ] || fail "nothing was written down"
[ "$(head -qn 1 search.* | cut -d ' ' -f 6 | sort -u | wc -l)" = 12 ] || {
    head -n 1 search.* >&2
    fail "Math.random is the same with several seeds"
}
