#!/usr/bin/env bash
# demo.sh BUILD: shows the loop turning, then what the tracer sees of it.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
phasor=$build/bin/phasor

title() {
    printf '\n== %s\n\n' "$1"
}

program=(examples/phases.js)
run=("$phasor" "${program[@]}")
if ! "$phasor" -e 0 >/dev/null 2>&1; then
    echo "This build was asked to have no JavaScript runtime: a program in C has to do."
    program=("$build/examples/phases")
    run=("${program[@]}")
fi

title "${program[*]}, phase by phase"
"${run[@]}"

title "The same, recorded: phasor trace ${program[*]}; phasor report"
"$phasor" trace -o "$build/demo.trace" "${program[@]}" >/dev/null 2>"$build/demo.log" || {
    cat "$build/demo.log" >&2
    exit 1
}
"$phasor" report "$build/demo.trace"
"$phasor" report --html "$build/demo.html" "$build/demo.trace"

title "The timeline, turn by turn"
echo "Open $build/demo.html in a browser (one file, no network)."

if "$phasor" -e 0 >/dev/null 2>&1 && [ -f "$build/share/phasor/play/page.html" ] &&
    [ -f "$build/lib/phasor/sim/libuv.so.1" ]; then
    title "Step by step, forward and back: phasor play examples/puzzles/inside-io.js"
    "$phasor" play examples/puzzles/inside-io.js --save "$build/play.html"
    echo "Open $build/play.html in a browser, or write your own program: $phasor play"
fi
