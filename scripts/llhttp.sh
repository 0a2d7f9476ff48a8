#!/usr/bin/env bash
# llhttp.sh BUILD [quick | time | COUNT [SEED]]: our parser of HTTP beside llhttp, Node's, on random
# messages (runtime/tests/llhttp). llhttp is Debian 13's libllhttp-dev, unpacked below BUILD;
# nothing of it
# is part of the project. "quick" takes few messages, and only where it is unpacked already (else
# skipped, 77); "time" tells how long each takes.
set -euo pipefail
build=$1
count=${2:-5000000}
seed=${3:-1}
folder=$build/llhttp
if [ ! -e "$folder/usr/include/llhttp.h" ]; then
    if [ "$count" = quick ]; then
        echo "Skipped: llhttp is not unpacked (make llhttp does it)."
        exit 77
    fi
    apt=$(realpath scripts/testing-apt.sh)
    mkdir -p "$folder"
    if ! { SUITE=trixie bash "$apt" "$folder/apt" update &&
        (cd "$folder" && SUITE=trixie bash "$apt" apt download libllhttp-dev); } \
        >"$folder/fetch.log" 2>&1; then
        tail -n 5 "$folder/fetch.log" >&2
        echo "libllhttp-dev could not be fetched." >&2
        exit 1
    fi
    dpkg -x "$folder"/libllhttp-dev_*.deb "$folder"
    rm -rf "$folder/apt" "$folder"/*.deb
fi
library=$(find "$folder/usr/lib" -name libllhttp.a)
compare=$folder/compare.$$
trap 'rm -f "$compare"' EXIT
${CC:-cc} -O2 -std=c11 -D_GNU_SOURCE -Iruntime -isystem "$folder/usr/include" \
    runtime/tests/llhttp/*.c \
    runtime/http/{parser,start_line,target,fields,chunks,words}.c "$library" -o "$compare"
case $count in
time) "$compare" time ;;
quick) "$compare" 1 200000 ;;
*) "$compare" "$seed" "$count" ;;
esac
