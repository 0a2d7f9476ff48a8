#!/usr/bin/env bash
# sim.sh BUILD [SEEDS]: the tests of the simulated world, and random programs in many worlds of it.
set -euo pipefail
build=$1
TARGETS="all tests/all" scripts/build.sh "$build"
ctest --test-dir "$build" -L '^sim$' --output-on-failure -j "$(nproc)"
bash sim/tests/random_programs_keep_every_promise.sh "$build" "${2:-10000}"
