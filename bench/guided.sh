#!/usr/bin/env bash
# guided.sh BUILD [STARTS]: how many worlds a search needs until one fails, from several seeds,
# without and with --guided, for the examples with a defect; 3,000 worlds at most.
set -euo pipefail
build=$(realpath "$1")
starts=${2:-5}
examples=$PWD/examples/sim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

tried() { # tried SCRIPT SEED OPTION...: the number of worlds
    "$build/bin/phasor" sim "${@:3}" --seed "$2" --seeds 3000 --jobs 1 --no-shrink --json "$1" \
        2>/dev/null </dev/null | sed 's/.*"tried":\([0-9]*\),.*/\1/'
}

for script in "$examples"/*.js; do
    case $script in *-mended.js) continue ;; esac
    fresh=() guided=()
    for start in $(seq "$starts"); do
        seed=$((start * 10000 + 2))
        fresh+=("$(tried "$script" $seed || true)")
        guided+=("$(tried "$script" $seed --guided || true)")
    done
    echo "$(basename "$script" .js): ${fresh[*]}; guided: ${guided[*]}"
done
