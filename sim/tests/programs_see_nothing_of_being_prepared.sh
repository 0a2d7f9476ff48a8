#!/usr/bin/env bash
# With options in the environment the runtime is started in the world, as any program is: nothing
# that a program can see differs, but for the numbers of its descriptors.
. sim/tests/world.bash
needs_runtime
for seed in 1 5 9; do
    sim --seed $seed "$programs/shown.js" prepared
    NODE_OPTIONS=--no-deprecation sim --seed $seed "$programs/shown.js" fresh
    sed -i 's/ [0-9]*$//' prepared.$seed fresh.$seed
    same prepared.$seed fresh.$seed "a prepared program sees something else"
done
