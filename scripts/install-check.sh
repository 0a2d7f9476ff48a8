#!/usr/bin/env bash
# install-check.sh BUILD [WORD...]: the tests in tests/packaging whose names have one of the
# words, all without: archives, packages and other people's programs, made, installed, used and
# removed.
set -euo pipefail
build=$1
shift
failed=""
for test in tests/packaging/*.sh; do
    name=$(basename "$test" .sh)
    wanted=""
    for word in "${@:-}"; do
        case $name in *"$word"*) wanted=yes ;; esac
    done
    [ -n "$wanted" ] || continue
    status=0
    bash "$test" "$build" || status=$?
    case $status in
    0) echo "ok: $name" ;;
    77) ;;
    *)
        echo "FAILED: $name"
        failed=yes
        ;;
    esac
done
[ -z "$failed" ]
