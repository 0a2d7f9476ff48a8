#!/usr/bin/env bash
# bindings.sh PROGRAM SCRIPT [SEEDS]: the script in an empty folder, with one seed after another.
# FUZZ_FIRST is the first of them.
set -euo pipefail
program=$1
script=$2
seeds=${3:-12}
first=${FUZZ_FIRST:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/input" # not a device: calls change the mode and the times of descriptor 0
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0:allocator_may_return_null=1
for seed in $(seq "$first" $((first + seeds - 1))); do
    mkdir "$work/$seed"
    status=0
    (cd "$work/$seed" && exec timeout -k 5 60 "$program" "$script" "$seed" 60) \
        <"$work/input" >"$work/output" 2>"$work/errors" || status=$?
    if [ "$status" -ne 0 ]; then
        echo "seed $seed: status $status"
        tail -n 60 "$work/errors"
        exit 1
    fi
done
