#!/usr/bin/env bash
# `make format` has nothing to do. Other versions of clang-format than ours would differ: see
# scripts/format.sh.
set -euo pipefail
scripts/format.sh version || { echo "skipped: no clang-format of that version"; exit 77; }
exec scripts/format.sh check
