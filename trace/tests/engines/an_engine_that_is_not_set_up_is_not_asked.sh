#!/usr/bin/env bash
# What Node 18 keeps where its V8 will have the isolate is somebody else's before that is set up. A
# recorder that asks it for stacks kills a Node that takes long to start.
. trace/tests/common.bash
program=$build/tests/trace/engine
expect 0 "$phasor" trace -o later "$program"
says out "not asked"
expect 0 "$phasor" trace -o now "$program" set-up
[ "$(cat out)" = asked ] || fail "an engine that is set up is asked: $(cat out)"
