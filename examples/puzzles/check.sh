#!/usr/bin/env bash
# check.sh PHASOR SCRIPT: the script prints what the .out file beside it says, in our runtime and
# (if there is one) in Node 20. 77: this phasor has no JavaScript engine.
set -euo pipefail
phasor=$1
script=$2

"$phasor" /dev/null >/dev/null 2>&1 || { echo "no JavaScript engine here" && exit 77; }
programs=("$phasor")
case "$(node --version 2>/dev/null || true)" in
v20.*) programs+=(node) ;;
*) echo "no Node 20 here to compare with" ;;
esac
unset NODE_OPTIONS NODE_PATH UV_THREADPOOL_SIZE FORCE_COLOR NO_COLOR

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for program in "${programs[@]}"; do
    echo "$program"
    status=0
    TMPDIR=$work "$program" "$script" >"$work/output" || status=$?
    diff -u "${script%.*}.out" "$work/output"
    # A program may choose a small status; one that was ended by a signal has failed.
    [ $status -lt 100 ] || { echo "exit status $status" && exit 1; }
done
