#!/usr/bin/env bash
# streams_in_worlds.sh PHASOR [COUNT]: every program about streams prints the same in COUNT
# simulated worlds, each with an order and an unkindness of its own.
set -euo pipefail
phasor=$(realpath "$1")
cd "$(dirname "$0")"
count=${2:-20}
failed=0
for program in order/streams/*.js streams/streams_agree_with_node.js; do
    said=$("$phasor" sim --seeds "$count" --real-limit 300s \
        same_in_every_world.js "$program" 2>&1) && continue
    printf '%s: %s\n' "$program" "$said"
    failed=1
done
exit "$failed"
