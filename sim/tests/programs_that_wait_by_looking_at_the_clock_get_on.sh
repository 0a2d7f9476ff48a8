#!/usr/bin/env bash
# In a loop of their own, and in one of immediates.
. sim/tests/world.bash
needs_runtime
sim "$programs/busy.js" >out
printf 'looked true\nimmediates end true\n' >expected
same expected out "busy waiting"
