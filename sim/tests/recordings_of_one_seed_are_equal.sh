#!/usr/bin/env bash
# Byte for byte, and they show what the world did: faults, ways that were cut, hosts that crashed.
# Recording does not change the world.
. sim/tests/world.bash
needs_runtime
same_recording() { # same_recording ARGUMENTS...: of a program that leaves its folder as it was
    sim "$@" >plain 2>&1 || true
    for i in 1 2 3 4 5; do
        sim -o "$i.trace" "$@" >recorded 2>&1 || true
        same plain recorded "phasor sim $*: recording changes what is printed"
        cmp 1.trace "$i.trace" || fail "phasor sim $*: recording $i differs"
    done
    "$phasor" report --html - 1.trace >page
}
same_recording --seed 3 "$programs/mixed.js"
same_recording --seed 3 --faults call:0.1,disk:0.02 "$programs/mixed.js"
grep -q '@[0-9]*=E' page || fail "the recording shows no faults"
same_recording "$programs/two_hosts.js"
says page 'loop 2 (server)' # in the order in which they were made
says page 'loop 3 (client)'
same_recording "$programs/partition.js"
says page 'cut server client'
says page 'heal server client'
