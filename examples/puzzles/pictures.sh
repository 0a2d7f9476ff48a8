#!/usr/bin/env bash
# pictures.sh [BUILD]: records every puzzle into BUILD/puzzles and takes the pictures of
# docs/PUZZLES.md from the page that `phasor report --html` writes. Needs Chromium.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build}
records=$build/puzzles
export PHASOR=$build/bin/phasor
mkdir -p "$records" docs/puzzles

record() { # record NAME SCRIPT [ARGUMENT...]
    local name=$1 status=0
    shift
    "$PHASOR" trace -o "$records/$name.trace" "examples/puzzles/$1" "${@:2}" \
        >/dev/null 2>"$records/log" || status=$?
    grep -q recorded "$records/log" || { cat "$records/log" >&2 && exit "$status"; }
}

picture() { # picture RECORD[.VIEW] OPTION...
    python3 -B trace/viewer/picture.py "$records/${1%.*}.trace" "docs/puzzles/$1.png" \
        --width 760 "${@:2}"
}

record top-level-plain top-level.js plain
record top-level-late top-level.js late
for script in examples/puzzles/*.js examples/puzzles/*.mjs; do
    name=$(basename "${script%.*}")
    [ "$name" = top-level ] || record "$name" "$(basename "$script")"
done

picture top-level-plain --part happened --iteration 1
picture top-level-late --part happened --iteration 1
picture inside-io.wheel --part wheel --select onRead
picture inside-io --part happened --select onRead
picture inside-close --part timeline
picture tick-or-promise --part happened --iteration 0
picture tick-or-promise-module --part happened --iteration 1
picture between-timers --part happened --iteration 1
picture await-order --part happened --iteration 0
picture starving-tick --part timeline
picture blocked-loop --part timeline
picture starved-pool --part timeline
picture interval-drift --part timeline
picture unref --part timeline
picture exit-order --part timeline --zoom turns:1-3
ls -l docs/puzzles/*.png
