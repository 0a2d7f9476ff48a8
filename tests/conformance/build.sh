#!/usr/bin/env bash
# build.sh SOURCE OUT INCLUDE LIBRARY: the test runner, built with the headers in INCLUDE and linked
# with LIBRARY, as OUT/run-tests.
set -euo pipefail
source=$1 out=$2 include=$3 library=$4
mkdir -p "$out"

# These three compile libuv's own sources into the test: there is nothing of ours to be tested.
inside="test-idna test-strscpy test-strtok"
cat >"$out/inside.c" <<'C'
#include "task.h"
C
for name in $inside; do
    sed -n -E 's/^(TEST_IMPL\(\w+\)).*/\1 { RETURN_SKIP("tests the inside of libuv"); }/p' \
        "$source/test/$name.c" >>"$out/inside.c"
done

newest=$(find "$include/uv.h" "$include/uv" -name '*.h' -printf '%T@ %p\n' | sort -rn |
    sed -n '1s/^[^ ]* //p')
for file in "$source"/test/*.c "$out/inside.c"; do
    name=$(basename "$file" .c)
    case " $inside " in *" $name "*) continue ;; esac
    case $name in benchmark-* | run-benchmarks | runner-win | test-fs-fd-hash) continue ;; esac
    object=$out/$name.o
    [ "$object" -nt "$newest" ] && [ "$name" != inside ] || printf '%s\n%s\n' "$file" "$object"
done | xargs -r -P "$(nproc)" -n 2 sh -c '
    flags="-w -O1 -D_GNU_SOURCE"
    gcc $flags -I"$0" -I"$1" -c "$2" -o "$3" 2>"$3.log" && rm "$3.log" && exit
    # It looks at private fields: built with the header of Debian, as an older program would be.
    grep "has no member" "$3.log" | sed "s/.*error: /  $(basename "$2"): /"
    rm "$3.log"
    gcc $flags -I"$1" -c "$2" -o "$3"' "$include" "$source/test"
gcc -o "$out/run-tests" "$out"/*.o "$library" -Wl,--disable-new-dtags,-rpath,'$ORIGIN' \
    -lpthread -ldl -lutil
cp -L "$library" "$out/libuv.so.1"
