#!/usr/bin/env bash
# Bytes wait for the way to heal; a connect gives up after two minutes, a stream after a quarter of
# an hour; a port that nobody listens on refuses.
. sim/tests/world.bash
needs_runtime
sim "$programs/partition.js" >out
cat >expected <<END
cut: 1,2,
healed: 1,2,3,4,5,
ECONNREFUSED
ETIMEDOUT after 127 s
ETIMEDOUT
END
same expected out "what a cut way does"
