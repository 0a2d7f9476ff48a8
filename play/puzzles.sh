#!/usr/bin/env bash
# puzzles.sh [BUILD [PAGE.html]]: writes the page of docs/PUZZLES.md, one file with all puzzles. Two
# of them start other programs, which one that is played may not: lessons stand for them.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
page=${2:-docs/puzzles/puzzles.html}
puzzles=examples/puzzles
exec "$build/bin/phasor" play --save "$page" \
    play/lessons/phases/15-top-level.js "$puzzles/inside-io.js" "$puzzles/inside-close.js" \
    "$puzzles/tick-or-promise.js" "$puzzles/tick-or-promise-module.mjs" \
    "$puzzles/between-timers.js" "$puzzles/await-order.js" "$puzzles/starving-tick.js" \
    "$puzzles/blocked-loop.js" play/lessons/phases/21-pool-of-four.js "$puzzles/interval-drift.js" \
    "$puzzles/unref.js" "$puzzles/exit-order.js"
