#!/usr/bin/env bash
# sim.sh BUILD [BUILD...]: processor time of one world, in ms, for a server of HTTP and two clients
# with five requests each: as hosts of one process, as three processes of our runtime, and as three
# of Node. One job; the builds take turns. WORLDS and ROUNDS say how many worlds, and how often.
set -euo pipefail
unset NODE_EXTRA_CA_CERTS # to read them takes Node as long as to start
worlds=${WORLDS:-40}
rounds=${ROUNDS:-3}
builds=()
for build in "$@"; do builds+=("$(realpath "$build")"); done
cd bench/sim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() { # measure BUILD FILE COUNT: user and system time of the worlds
    TIMEFORMAT='%U %S'
    { time timeout 300 "$1/bin/phasor" sim --seeds "$3" --jobs 1 "$2" \
        >"$work/out" 2>&1 </dev/null; } 2>"$work/time" || { cat "$work/out" >&2; exit 1; }
    awk -v count="$3" '{printf "%.1f", ($1 + $2) * 1000 / count}' "$work/time"
}

for file in hosts.js phasor.json node.json; do
    count=$worlds
    if [ $file = node.json ]; then
        command -v node >/dev/null || continue
        count=$((worlds / 8 + 1))
    fi
    for _ in $(seq "$rounds"); do
        for build in "${builds[@]}"; do
            ms=$(measure "$build" $file $count)
            rate=$(awk "BEGIN {printf \"%.1f\", 1000 / $ms}")
            echo "$file $build: $ms ms a world, $rate a second"
        done
    done
done
