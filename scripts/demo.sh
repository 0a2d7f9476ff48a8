#!/usr/bin/env bash
# demo.sh BUILD: shows the loop turning.
set -euo pipefail
build=$1
echo
echo "A small program (examples/phases.c) on the loop, phase by phase:"
echo
"$build/examples/phases"
