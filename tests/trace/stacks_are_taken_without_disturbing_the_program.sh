#!/usr/bin/env bash
# No system call ends early, no signal of the program's is taken, and none is left over for the
# program that the process becomes.
. tests/trace/common.bash
program=$build/tests/trace/stacks
expect 0 "$phasor" trace -o sleep "$program" sleep
says out "0 calls ended early"
expect 0 "$phasor" trace -o signals "$program" signals
says out "0 signals were caught"
expect 0 "$phasor" trace -o blocked "$program" blocked
says out "became another"
expect 0 "$phasor" trace -o becomes "$program" becomes 40
says out "became them all"
