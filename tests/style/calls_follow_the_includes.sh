#!/usr/bin/env bash
# calls_follow_the_includes.sh BUILD: what the objects call is what their room may include.
set -euo pipefail
objects=$1/parts/lib/CMakeFiles/uv_objects.dir
[ -d "$objects" ] || { echo "skipped: no objects in $1"; exit 77; }
exec python3 -B tests/style/calls.py "$objects"
