#!/usr/bin/env bash
# A child process and standard input; afterwards time is virtual again, and the run says so.
. sim/tests/world.bash
needs_runtime
(sleep 0.5; echo hello) | timeout 300 "$phasor" sim "$programs/outside.js" >out 2>err
printf 'from the child\nread hello\na day later\n' >expected
same expected out "a child and standard input"
says err 'time ran as outside for'
says err 'another run may differ'
