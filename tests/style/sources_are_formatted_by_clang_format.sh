#!/usr/bin/env bash
# `make format` has nothing to do.
set -euo pipefail
command -v clang-format >/dev/null || { echo "skipped: no clang-format"; exit 77; }
failed=0
while read -r file; do
    if ! clang-format --dry-run -Werror "$file" 2>/dev/null; then
        echo "$file: run clang-format -i (make format)" >&2
        failed=1
    fi
done < <(python3 -B tests/style/project.py)
exit $failed
