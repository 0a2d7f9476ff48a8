#!/usr/bin/env bash
# random.sh PHASOR COUNT [FIRST]: random programs about order (random/parts/program.js) do the same
# in Node 20 and in our runtime. 77: there is no Node 20.
set -euo pipefail
phasor=$1
count=$2
first=${3:-1}
program=$(dirname "$0")/random/parts/program.js
case "$(node --version 2>/dev/null || true)" in
v20.*) ;;
*) echo "no Node 20 here" && exit 77 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The programs of some seeds at once; a difference is looked for again seed by seed, since what a
# busy machine delays may be delayed in one of them only.
same() { # same FIRST COUNT
    node "$program" "$1" "$2" >"$work/node" &
    "$phasor" "$program" "$1" "$2" >"$work/phasor"
    wait
    cmp -s "$work/node" "$work/phasor"
}
failed=0
for ((seed = first; seed < first + count; seed += 50)); do
    some=$((first + count - seed < 50 ? first + count - seed : 50))
    same "$seed" "$some" && continue
    for ((one = seed; one < seed + some; one++)); do
        if ! same "$one" 1 && ! same "$one" 1; then
            echo "seed $one: random.sh PHASOR 1 $one shows it"
            diff -u "$work/node" "$work/phasor" | head -n 40
            failed=1
        fi
    done
done
exit $failed
