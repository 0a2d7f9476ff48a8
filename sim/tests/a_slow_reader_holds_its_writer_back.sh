#!/usr/bin/env bash
# And nothing is lost between them.
. sim/tests/world.bash
needs_runtime
sim "$programs/slow_reader.js" >out
printf 'waited true true\nread 4194304 true\n' >expected
same expected out "a slow reader"
