#!/usr/bin/env bash
# A synced file keeps its bytes, a synced folder its names; everything later is as it was before.
. sim/tests/world.bash
needs_runtime
sim "$programs/crash.js" >out
cat >expected <<END
gone still here.
half first..
lasting x.
moved kept.
old before.
unsynced .
again first.second. true
END
same expected out "what a crash leaves"
