#!/usr/bin/env bash
# check.sh PHASOR SCRIPT [SEEDS]: the world finds what is wrong with the script; a mended one passes
# in as many worlds as are asked for.
set -euo pipefail
phasor=$(realpath "$1")
script=$(realpath "$2")
seeds=${3:-30}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
case $script in
*-mended.js) exec "$phasor" sim --seeds "$seeds" "$script" ;;
esac
status=0
"$phasor" sim --seeds 1000 --no-shrink "$script" >output 2>&1 || status=$?
if [ "$status" != 1 ] || ! grep -q 'AssertionError' output; then
    echo "status $status; nothing was found:"
    tail -n 30 output
    exit 1
fi
grep 'phasor sim: seed' output
