#!/usr/bin/env bash
# demo.sh BUILD: shows the loop turning.
set -euo pipefail
build=$1
echo
echo "A small program (examples/phases.c) on the loop, phase by phase:"
echo
"$build/examples/phases"
echo
echo "The same program, recorded from outside (phasor trace -- $build/examples/phases):"
echo
"$build/bin/phasor" trace -o "$build/demo.trace" --html "$build/demo.html" -- \
    "$build/examples/phases" >/dev/null
"$build/bin/phasor" report "$build/demo.trace"
echo
echo "The timeline page is $build/demo.html."
