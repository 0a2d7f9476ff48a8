#!/usr/bin/env bash
# format.sh [check|version]: formats the C sources; or says which are not formatted; or which
# clang-format there is. Each version formats a little differently: this one is ours.
set -euo pipefail
version=14
clang_format=""
for candidate in clang-format-$version clang-format; do
    if [[ $("$candidate" --version 2>/dev/null || true) =~ version\ $version\. ]]; then
        clang_format=$candidate
        break
    fi
done
if [ -z "$clang_format" ]; then
    echo "The sources are formatted with clang-format $version, which is not installed." >&2
    exit 1
fi
case ${1:-} in
version) "$clang_format" --version ;;
check)
    if ! python3 -B tests/style/project.py |
        xargs -n 40 -P "$(nproc)" "$clang_format" --dry-run -Werror; then
        echo "Run make format." >&2
        exit 1
    fi
    ;;
*) python3 -B tests/style/project.py | xargs "$clang_format" -i ;;
esac
