#!/usr/bin/env bash
# No system call ends early, no signal of the program's is taken, and none is left over for the
# program that the process becomes.
. trace/tests/common.bash
program=$build/tests/trace/stacks
expect 0 "$phasor" trace -o sleep "$program" sleep
says out "0 calls ended early"
expect 0 "$phasor" trace -o signals "$program" signals
says out "0 signals were caught"
expect 0 "$phasor" trace -o blocked "$program" blocked
says out "became another"
expect 0 "$phasor" trace -o becomes "$program" becomes 40
says out "became them all"

# Nor does its start wait for the kernel's barrier, which takes it up to 50 ms.
if [ -z "$sanitizer" ] && command -v strace >/dev/null; then
    PHASOR_TRACE=start strace -f -qq -e trace=membarrier -e signal=none -o calls \
        "$program" deep || exit 0
    [ ! -s calls ] || fail "without an engine there is nothing to ask: $(cat calls)"
fi
