#!/usr/bin/env bash
# The server of docs/COROUTINES.md in every model that is installed here.
set -euo pipefail
build=$1
output=$(python3 -B go/models/run.py "$build" check)
grep -q '^coroutines, C on this library .* lines$' <<<"$output" || { echo "$output" >&2; exit 1; }
