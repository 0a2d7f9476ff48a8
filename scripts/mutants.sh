#!/usr/bin/env bash
# mutants.sh BUILD [COUNT [SEED]]: breaks the library in random places, one at a time, and says
# which the tests did not notice (scripts/mutants.py). Fails if more than 3 % survive.
set -euo pipefail
build=$1
mkdir -p "$build/coverage" "$build/mutants"
TARGETS=proofs_of_the_library scripts/build.sh "$build/coverage" -DPHASOR_COVERAGE=ON \
    -DPHASOR_RUNTIME=OFF -DPHASOR_SIM=OFF -DCMAKE_BUILD_TYPE=Debug
python3 -B scripts/mutants.py "$build" --count "${2:-300}" --seed "${3:-1}"
