#!/usr/bin/env bash
# storms_and_crashes_end_well_in_every_world.sh BUILD [SEEDS]: cancel storms and supervised crashes
# in so many simulated worlds, without faults and with a bad network. 10000 take a minute or two.
set -euo pipefail
build=$(realpath "$1")
seeds=${2:-1000}
[ -f "$build/lib/phasor/sim/libuv.so.1" ] || { echo "no simulated world in this build"; exit 77; }
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-go-XXXXXX") # for the recording of a world that fails
trap 'rm -rf "$temp"' EXIT
cd "$temp"
for faults in "" net:0.02; do
    timeout 3000 "$build/bin/phasor" sim --seeds $((seeds / 2)) ${faults:+--faults "$faults"} \
        "$build/tests/go_world" </dev/null
done
