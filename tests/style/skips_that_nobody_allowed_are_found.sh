#!/usr/bin/env bash
# A skip that tests/skips.txt does not name for this place is an error, and its lines can be read.
set -euo pipefail
log=$(mktemp "${TMPDIR:-/tmp}/phasor-skips-XXXXXX")
trap 'rm -f "$log"' EXIT
echo ' 1/2 Test   #1: trace.an_event_costs_little ...***Skipped   0.01 sec' >"$log"
python3 -B scripts/skips.py "$log" address | grep -q '1 skipped, sanitizers have their own price'
if python3 -B scripts/skips.py "$log" release; then
    echo "a skip on the wrong build is allowed" >&2
    exit 1
fi
echo ' 2/2 Test   #2: unit.wheel.a_new_one ...***Skipped   0.01 sec' >"$log"
if python3 -B scripts/skips.py "$log" release; then
    echo "a skip that no line names is allowed" >&2
    exit 1
fi
if grep -vE '^(#.*)?$' tests/skips.txt | grep -vE '^[a-z0-9_*.]+ \| .+ \| [^|]+$'; then
    echo "this line has not the form PATTERN | CONDITION | REASON" >&2
    exit 1
fi
ctest --test-dir "$1" -N | sed -nE 's/^ *Test +#[0-9]+: //p' >"$log"
while read -r pattern _; do
    # shellcheck disable=SC2053
    while read -r name; do [[ $name == $pattern ]] && continue 2; done <"$log"
    echo "tests/skips.txt: no test is called $pattern" >&2
    exit 1
done < <(grep -vE '^(#.*)?$' tests/skips.txt)
